#!/usr/bin/env python3
"""Verifies proofs of a deal offline, as ../proof-spec.md lays them down. Needs nothing but Python's standard library.

Exit codes: 0 it holds, 1 it does not (the first word says why), 2 it cannot be read.
"""

import argparse
import hashlib
import hmac
import json
import re
import struct
import sys
import uuid

RANKS, SUITS = "A23456789TJQK", "cdhs"
LEAVES, CARDS, LEVELS = 64, 52, 6


class Unreadable(Exception):
    """Not a proof file."""


class Refused(Exception):
    """A proof that does not hold: the name of the check that failed, and a sentence."""

    def __init__(self, name, text):
        super().__init__(text)
        self.name = name


def check(holds, name, text):
    if not holds:
        raise Refused(name, text)


# ---- hashes and streams


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def hkdf(secret, label):
    """HKDF-SHA-256 without salt, 32 bytes: extract, and the first block of expand."""
    pseudorandom = hmac.new(bytes(32), secret, hashlib.sha256).digest()
    return hmac.new(pseudorandom, label + b"\x01", hashlib.sha256).digest()


def rotate(word, bits):
    return (word << bits | word >> (32 - bits)) & 0xFFFFFFFF


def quarter_round(s, a, b, c, d):
    for first, second, third, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        s[first] = (s[first] + s[second]) & 0xFFFFFFFF
        s[third] = rotate(s[third] ^ s[first], bits)


COLUMNS = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
DIAGONALS = [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]


def chacha20_block(key, counter, nonce):
    start = list(struct.unpack("<4I8II3I", b"expand 32-byte k" + key + struct.pack("<I", counter) + nonce))
    state = list(start)
    for _ in range(10):
        for lanes in COLUMNS + DIAGONALS:
            quarter_round(state, *lanes)
    return struct.pack("<16I", *((now + then) & 0xFFFFFFFF for now, then in zip(state, start)))


def stream(key):
    counter = 0
    while True:
        yield from chacha20_block(key, counter, bytes(12))
        counter += 1


# ---- order, salts, tree


def order_of(seed, nonces):
    if nonces:
        secret = seed + b"".join(bytes([seat, len(nonce)]) + nonce for seat, nonce in nonces)
        source = stream(hkdf(secret, b"razz.order-with-nonces.v1"))
    else:
        source = stream(hkdf(seed, b"razz.order.v1"))
    cards = list(range(CARDS))
    for place in range(CARDS - 1, 0, -1):
        choices = place + 1
        byte = next(source)
        while byte >= 256 - 256 % choices:
            byte = next(source)
        other = byte % choices
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def salts_key_of(seed):
    return hkdf(seed, b"razz.salts.v1")


def salts_of(salts_key):
    source = stream(salts_key)
    return [bytes(next(source) for _ in range(16)) for _ in range(CARDS)]


def seed_hash_of(seed):
    return sha256(b"razz.seed.v1", seed)


def leaf(of, position, salt, card):
    table, hand = of
    return sha256(b"razz.card.v1", table, struct.pack(">Q", hand), bytes([position]), salt, bytes([card]))


PADDING = sha256(b"razz.padding.v1")


def inner(left, right):
    return sha256(b"razz.node.v1", left, right)


def leaves_of(of, order, salts):
    cards = [leaf(of, position, salt, card) for position, (salt, card) in enumerate(zip(salts, order))]
    return cards + [PADDING] * (LEAVES - CARDS)


def root_of(hashes):
    while len(hashes) > 1:
        hashes = [inner(*hashes[at:at + 2]) for at in range(0, len(hashes), 2)]
    return hashes[0]


def count_nodes(known, first=0, width=LEAVES):
    """How many nodes the leaves `known` need beside them within a subtree."""
    if not any(first <= leaf < first + width for leaf in known):
        return 1
    if width == 1:
        return 0
    half = width // 2
    return count_nodes(known, first, half) + count_nodes(known, first + half, half)


def climb(known, nodes, first=0, width=LEAVES):
    """The hash over a subtree, from known leaves and the iterator of given nodes."""
    if not any(first <= leaf < first + width for leaf in known):
        return next(nodes)
    if width == 1:
        return known[first]
    half = width // 2
    left = climb(known, nodes, first, half)
    return inner(left, climb(known, nodes, first + half, half))


# ---- reading


def fields(value, *names, optional=()):
    """The fields of an object that has these and no others."""
    if not isinstance(value, dict):
        raise Unreadable("an object is expected")
    for name in names:
        if name not in value and name not in optional:
            raise Unreadable(f"a field {name!r} is expected")
    for name in value:
        if name not in names:
            raise Unreadable(f"no field {name!r} is expected here")
    return [value.get(name) for name in names]


def number(value, least, most):
    if type(value) is not int or not least <= value <= most:
        raise Unreadable(f"a whole number from {least} to {most} is expected")
    return value


def some_bytes(value):
    if not isinstance(value, str) or not re.fullmatch("(?:[0-9a-f]{2})*", value):
        raise Unreadable("lower-case hexadecimal digits are expected, two for each byte")
    return bytes.fromhex(value)


def exactly(length, value):
    found = some_bytes(value)
    if len(found) != length:
        raise Unreadable(f"{2 * length} lower-case hexadecimal digits are expected")
    return found


def listed(value):
    if not isinstance(value, list):
        raise Unreadable("a list is expected")
    return value


def card_of(value):
    if not isinstance(value, str) or not re.fullmatch(f"[{RANKS}][{SUITS}]", value):
        raise Unreadable("a card is expected, such as 'Td'")
    return RANKS.index(value[0]) * 4 + SUITS.index(value[1])


def table_of(value):
    if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", value):
        raise Unreadable("the id of a table is expected, a UUID")
    return uuid.UUID(value).bytes


def revealed(position, card, salt):
    return number(position, 0, 255), card_of(card), exactly(16, salt)


def in_words(card):
    return RANKS[card // 4] + SUITS[card % 4]


def whole(digits):
    """A number without sign that fits a proof; any other is none."""
    return None if digits.startswith("-") or len(digits) > 19 else int(digits)


def parse(raw):
    try:
        return json.loads(raw.decode("utf-8"), parse_int=whole)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON in UTF-8: {error}") from None


# ---- checks


def must_ascend(numbers, what, repeated, unordered):
    check(len(set(numbers)) == len(numbers), repeated, f"a {what} is there more than once")
    check(numbers == sorted(numbers), unordered, f"each {what} must be above the one before")


def must_be_root(computed, root):
    check(computed == root, "ROOT_MISMATCH", f"it leads to {computed.hex()}, and the root is {root.hex()}")


def must_differ(cards):
    check(len(set(cards)) == len(cards), "REPEATED_CARD", "the same card is proved at two positions")


def verify_card(of, root, rest):
    position, card, salt, path = fields(rest, "position", "card", "salt", "path")
    position, card, salt = revealed(position, card, salt)
    path = [exactly(32, node) for node in listed(path)]
    check(len(path) == LEVELS, "PATH_LENGTH", f"the path has {len(path)} nodes, not {LEVELS}")
    check(position < CARDS, "POSITION_BEYOND", f"position {position} is none of a card")
    here = leaf(of, position, salt, card)
    for level, beside in enumerate(path):
        here = inner(beside, here) if position >> level & 1 else inner(here, beside)
    must_be_root(here, root)
    return [f"position {position}: {in_words(card)}"]


def verify_hand(of, root, rest):
    cards, nodes = fields(rest, "cards", "nodes")
    cards = [revealed(*fields(shown, "position", "card", "salt")) for shown in listed(cards)]
    nodes = [exactly(32, node) for node in listed(nodes)]
    positions = [position for position, _, _ in cards]
    check(cards, "NO_CARDS", "it shows no card")
    check(max(positions) < CARDS, "POSITION_BEYOND", f"position {max(positions)} is none of a card")
    must_ascend(positions, "position", "REPEATED_POSITION", "UNORDERED_POSITIONS")
    known = {position: leaf(of, position, salt, card) for position, card, salt in cards}
    known.update((position, PADDING) for position in range(CARDS, LEAVES))
    needed = count_nodes(known)
    check(len(nodes) >= needed, "MISSING_NODES", f"it has {len(nodes)} nodes and needs {needed}")
    check(len(nodes) <= needed, "EXTRA_NODES", f"it has {len(nodes)} nodes and needs {needed}")
    must_be_root(climb(known, iter(nodes)), root)
    must_differ([card for _, card, _ in cards])
    return [f"position {position}: {in_words(card)}" for position, card, _ in cards]


def read_nonces(value):
    entries = [fields(entry, "seat", "nonce") for entry in listed(value)]
    return [(number(seat, 0, 255), some_bytes(nonce)) for seat, nonce in entries]


def check_nonces(nonces, seed_hash):
    seats = [seat for seat, _ in nonces]
    check(all(1 <= seat <= 8 for seat in seats), "SEAT_BEYOND", "seats go from 1 to 8")
    must_ascend(seats, "seat", "REPEATED_SEAT", "UNORDERED_SEATS")
    check(all(1 <= len(nonce) <= 32 for _, nonce in nonces), "NONCE_LENGTH", "a nonce has 1 to 32 bytes")
    check(not nonces or seed_hash, "NO_SEED_HASH", "there are nonces, and no hash of the seed recorded before them")


def verify_deck(of, root, rest):
    scripted = "salts_key" in rest
    if scripted:
        order, salts_key = fields(rest, "order", "salts_key")
        seed, nonces, seed_hash, salts_key = None, [], None, exactly(32, salts_key)
    else:
        order, seed, nonces, seed_hash = fields(
            rest, "order", "seed", "nonces", "seed_hash", optional=("seed_hash",))
        seed, nonces = exactly(32, seed), read_nonces(nonces)
        seed_hash = exactly(32, seed_hash) if "seed_hash" in rest else None
        salts_key = salts_key_of(seed)
    order = [card_of(card) for card in listed(order)]
    check_nonces(nonces, seed_hash)
    check(len(order) == CARDS, "ORDER_LENGTH", f"the order has {len(order)} cards, not {CARDS}")
    if not scripted:
        check(seed_hash in (None, seed_hash_of(seed)), "SEED_HASH_MISMATCH", "the seed is not the one that was bound")
        check(order == order_of(seed, nonces), "ORDER_MISMATCH", "seed and nonces give another order")
    must_be_root(root_of(leaves_of(of, order, salts_of(salts_key))), root)
    must_differ(order)
    if scripted:
        whence = "scripted: the deck is unchanged, and not drawn at random"
    elif nonces:
        whence = "the order follows from the bound seed and the players' nonces"
    else:
        whence = "the order follows from the seed, which the house alone chose"
    return ["order: " + " ".join(map(in_words, order)), whence]


def verify(proof, root=None):
    """What a proof shows, line by line; or Refused; or Unreadable."""
    if not isinstance(proof, dict):
        raise Unreadable("an object is expected")
    rest = dict(proof)
    kinds = {"card": verify_card, "hand": verify_hand, "deck": verify_deck}
    names = ("format", "kind", "table_id", "hand_number", "root")
    head = {name: rest.pop(name) for name in names if name in rest}
    form, kind, table, hand, own_root = fields(head, *names)
    if form != "razz.proof.v1" or not isinstance(kind, str) or kind not in kinds:
        raise Unreadable("the format 'razz.proof.v1' and a kind of card, hand, deck are expected")
    of, own_root = (table_of(table), number(hand, 1, 2**63 - 1)), exactly(32, own_root)
    root = own_root if root is None else root
    return [f"table {table} hand {hand}, root {root.hex()}"] + kinds[kind](of, root, rest)


# ---- commands


def outcome(proof):
    try:
        verify(proof)
        return "PROVED"
    except Refused as refused:
        return refused.name
    except Unreadable:
        return "UNREADABLE"


def differing(hand):
    """The names of the values of a hand in the vectors that come out otherwise."""
    of, order = (table_of(hand["table_id"]), hand["hand_number"]), [card_of(card) for card in hand["order"]]
    salts_key = bytes.fromhex(hand["salts_key"])
    salts = salts_of(salts_key)
    leaves = leaves_of(of, order, salts)
    computed = {
        "salts": [salt.hex() for salt in salts],
        "leaves": [hash.hex() for hash in leaves],
        "root": root_of(leaves).hex(),
    }
    if "seed" in hand:
        seed = bytes.fromhex(hand["seed"])
        computed["order"] = [in_words(card) for card in order_of(seed, read_nonces(hand["nonces"]))]
        computed["salts_key"] = salts_key_of(seed).hex()
        computed["seed_hash"] = seed_hash_of(seed).hex()
    return [name for name, value in computed.items() if hand[name] != value]


def try_vectors(vectors):
    form, hands, proofs = fields(vectors, "format", "hands", "proofs")
    if form != "razz.proof-vectors.v1":
        raise Unreadable("the format 'razz.proof-vectors.v1' is expected")
    wrong = []
    for hand in hands:
        wrong += [f"{hand['name']}: another value of {name}" for name in differing(hand)]
    for vector in proofs:
        found = outcome(vector["proof"])
        if found != vector["expect"]:
            wrong.append(f"{vector['name']}: {found}, where {vector['expect']} is expected")
    for line in wrong:
        print(line)
    print(f"{len(hands)} hands and {len(proofs)} proofs tried, {len(wrong)} wrong")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description="Verify a proof of cards, as proof-spec.md lays it down.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--proof", metavar="FILE", help="the proof to verify")
    what.add_argument("--vectors", metavar="FILE", help="the vectors to try this verifier on")
    parser.add_argument("--root", metavar="HEX", help="the hand's root as the record has it, not as the file says")
    args = parser.parse_args()
    try:
        root = None if args.root is None else exactly(32, args.root)
        with open(args.proof or args.vectors, "rb") as file:
            content = parse(file.read())
        if args.vectors:
            return try_vectors(content)
        lines = verify(content, root)
    except Refused as refused:
        print(f"{refused.name}: {refused}")
        return 1
    except (Unreadable, OSError) as error:
        print(f"{args.proof or args.vectors}: {error}", file=sys.stderr)
        return 2
    print("\n".join(["PROVED", *lines]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
