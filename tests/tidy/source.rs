//! Reads Rust just as far as the walls need it: which paths a file names, which words, and which texts.

/// A source without its comments and texts, as words and signs with the number of their line, and its texts apart.
pub struct Source {
    tokens: Vec<(usize, String)>,
    /// The text literals, each with the number of the line where it begins.
    pub texts: Vec<(usize, String)>,
}

impl Source {
    /// Reads a source file.
    pub fn read(text: &str) -> Source {
        let chars: Vec<char> = text.chars().collect();
        let mut source = Source { tokens: Vec::new(), texts: Vec::new() };
        let (mut at, mut line) = (0, 1);
        while at < chars.len() {
            let rest = &chars[at..];
            let word = rest.iter().take_while(|c| c.is_alphanumeric() || **c == '_').count();
            let taken = if rest.starts_with(&['/', '/']) {
                rest.iter().take_while(|c| **c != '\n').count()
            } else if rest.starts_with(&['/', '*']) {
                block_comment(rest)
            } else if let Some((open, inside, close)) = text_literal(rest) {
                source.texts.push((line, rest[open..open + inside].iter().collect()));
                open + inside + close
            } else if rest[0] == '\'' {
                quote(rest)
            } else if word > 0 {
                source.tokens.push((line, rest[..word].iter().collect()));
                word
            } else if rest.starts_with(&[':', ':']) {
                source.tokens.push((line, "::".to_owned()));
                2
            } else {
                if !rest[0].is_whitespace() {
                    source.tokens.push((line, rest[0].to_string()));
                }
                1
            };
            line += rest[..taken].iter().filter(|c| **c == '\n').count();
            at += taken;
        }
        source
    }

    fn token(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |(_, token)| token)
    }

    /// The first words of the path that goes on at `at`: one, or each of a group in braces.
    fn heads(&self, at: usize) -> Vec<(usize, &str)> {
        let head = |at: usize| (self.tokens.get(at).map_or(0, |(line, _)| *line), self.token(at));
        if self.token(at) != "{" {
            return vec![head(at)];
        }
        let (mut heads, mut depth) = (Vec::new(), 0);
        for here in at..self.tokens.len() {
            match self.token(here) {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            if depth == 1 && ["{", ","].contains(&self.token(here)) && self.token(here + 1) != "}" {
                heads.push(head(here + 1));
            }
        }
        heads
    }

    /// What a file names of its crate's root, given how deep in modules the file itself is. What would hide a name
    /// (another name for the crate, `super` in the middle of a group) is told as `the whole crate`.
    pub fn rooms_named(&self, file_depth: usize) -> Vec<(usize, &str)> {
        let (mut named, mut braces) = (Vec::new(), Vec::new());
        let mut in_use = false;
        for (at, (line, token)) in self.tokens.iter().enumerate() {
            let before = |back: usize| at.checked_sub(back).map_or("", |at| self.token(at));
            match token.as_str() {
                "{" => braces.push(before(2) == "mod"),
                "}" => drop(braces.pop()),
                "use" => in_use = true,
                ";" => in_use = false,
                "crate" if self.token(at + 1) == "::" => named.extend(self.heads(at + 2)),
                "crate" if before(2) != "pub" => named.push((*line, "the whole crate")),
                "razz_dealer" => named.push((*line, "the whole crate")),
                "super" if in_use && ["{", ","].contains(&before(1)) => named.push((*line, "the whole crate")),
                "super" if before(1) != "::" || before(2) == "self" => {
                    let depth = file_depth + braces.iter().filter(|of_module| **of_module).count();
                    let ups = (at..self.tokens.len()).step_by(2).take_while(|up| self.token(*up) == "super").count();
                    let after = at + 2 * ups;
                    if ups >= depth && self.token(after - 1) == "::" {
                        named.extend(self.heads(after));
                    } else if ups >= depth && before(2) != "pub" {
                        named.push((*line, "the whole crate"));
                    }
                }
                _ => {}
            }
        }
        named
    }

    /// Where a word stands: an identifier, the start of one before `*`, or a module of `std`.
    pub fn uses(&self, word: &str) -> Option<usize> {
        if let Some(module) = word.strip_prefix("std::") {
            let paths = (0..self.tokens.len()).filter(|at| self.token(*at) == "std" && self.token(at + 1) == "::");
            return paths.flat_map(|at| self.heads(at + 2)).find(|(_, head)| *head == module).map(|(line, _)| line);
        }
        let fits = |token: &str| match word.strip_suffix('*') {
            Some(start) => token.starts_with(start),
            // A literal may end in its type: 1f64.
            None => token == word || (token.starts_with(|c: char| c.is_ascii_digit()) && token.ends_with(word)),
        };
        self.tokens.iter().find(|(_, token)| fits(token)).map(|(line, _)| *line)
    }
}

/// How long a block comment is; they nest.
fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let step = match rest[at..] {
            ['/', '*', ..] => 1,
            ['*', '/', ..] => -1,
            _ => 0,
        };
        depth += step;
        at += if step == 0 { 1 } else { 2 };
        if depth == 0 {
            break;
        }
    }
    at
}

/// The lengths of a text literal's opening, inside and close, plain or raw.
fn text_literal(rest: &[char]) -> Option<(usize, usize, usize)> {
    let prefix = rest.iter().take_while(|c| ['b', 'c', 'r'].contains(*c)).count();
    let hashes = rest[prefix..].iter().take_while(|c| **c == '#').count();
    let open = prefix + hashes + 1;
    if prefix > 2 || rest.get(open - 1) != Some(&'"') || (hashes > 0 && prefix == 0) {
        return None;
    }
    let raw = rest[..prefix].contains(&'r');
    let mut inside = 0;
    while let Some(sign) = rest.get(open + inside) {
        if *sign == '"' && (!raw || rest[open + inside + 1..].starts_with(&vec!['#'; hashes])) {
            break;
        }
        inside += if *sign == '\\' && !raw { 2 } else { 1 };
    }
    let inside = inside.min(rest.len() - open);
    Some((open, inside, (1 + hashes).min(rest.len() - open - inside)))
}

/// How much a quote begins: a character, or the sign of a lifetime.
fn quote(rest: &[char]) -> usize {
    match rest {
        [_, '\\', _, tail @ ..] => 3 + tail.iter().take_while(|c| **c != '\'').count() + 1,
        [_, _, '\'', ..] => 3,
        _ => 1,
    }
    .min(rest.len())
}
