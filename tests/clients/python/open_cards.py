#!/usr/bin/env python3
"""Opens cards that were sealed to a player's key, as ../proof-spec.md lays it down. Needs nothing but Python's standard
library and verify_proof.py beside it.

Exit codes: 0 opened, 1 not (the first word says why), 2 something cannot be read.
"""

import argparse
import hmac
import hashlib
import struct
import sys

from verify_proof import CARDS, Refused, Unreadable
from verify_proof import chacha20_block, check, exactly, in_words, parse, some_bytes, table_of

PRIME = 2**255 - 19
KEM_SUITE = b"KEM" + struct.pack(">H", 0x0020)
SUITE = b"HPKE" + struct.pack(">HHH", 0x0020, 0x0001, 0x0003)
ENC, TAG, CARD = 32, 16, 18


# ---- X25519 (RFC 7748)


def x25519(scalar, point):
    number = int.from_bytes(scalar, "little") & ~7 & (2**255 - 1) | 2**254
    x1 = int.from_bytes(point, "little") & (2**255 - 1)
    x2, z2, x3, z3, swapped = 1, 0, x1, 1, 0
    for bit in reversed(range(255)):
        here = number >> bit & 1
        if here != swapped:
            x2, z2, x3, z3 = x3, z3, x2, z2
        swapped = here
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        da, cb, aa, bb = d * a, c * b, a * a, b * b
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % PRIME, x1 * (da - cb) ** 2 % PRIME
        x2, z2 = aa * bb % PRIME, e * (aa + 121665 * e) % PRIME
    if swapped:
        x2, z2 = x3, z3
    return (x2 * pow(z2, PRIME - 2, PRIME) % PRIME).to_bytes(32, "little")


def public_key(secret):
    return x25519(secret, (9).to_bytes(32, "little"))


# ---- HKDF as HPKE labels it (RFC 5869, RFC 9180 section 4)


def extract(salt, key):
    return hmac.new(salt or bytes(32), key, hashlib.sha256).digest()


def expand(key, info, length):
    found, block, number = b"", b"", 1
    while len(found) < length:
        block = hmac.new(key, block + info + bytes([number]), hashlib.sha256).digest()
        found, number = found + block, number + 1
    return found[:length]


def labeled_extract(suite, salt, label, key):
    return extract(salt, b"HPKE-v1" + suite + label + key)


def labeled_expand(suite, key, label, info, length):
    return expand(key, struct.pack(">H", length) + b"HPKE-v1" + suite + label + info, length)


# ---- ChaCha20-Poly1305 (RFC 8439)


def poly1305(key, text):
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    sum_, modulus = 0, 2**130 - 5
    for at in range(0, len(text), 16):
        sum_ = (sum_ + int.from_bytes(text[at:at + 16] + b"\x01", "little")) * r % modulus
    return ((sum_ + int.from_bytes(key[16:], "little")) % 2**128).to_bytes(16, "little")


def padded(text):
    return text + bytes(-len(text) % 16)


def aead_open(key, nonce, text):
    """The plain text, without associated data; None where the tag is another."""
    cipher, tag = text[:-TAG], text[-TAG:]
    authenticated = padded(cipher) + struct.pack("<QQ", 0, len(cipher))
    if not hmac.compare_digest(poly1305(chacha20_block(key, 0, nonce)[:32], authenticated), tag):
        return None
    blocks = (len(cipher) + 63) // 64
    stream = b"".join(chacha20_block(key, 1 + number, nonce) for number in range(blocks))
    return bytes(one ^ other for one, other in zip(cipher, stream))


# ---- HPKE, base mode (RFC 9180)


def hpke_open(secret, enc, info, text):
    shared = x25519(secret, enc)
    if shared == bytes(32):
        return None
    extracted = labeled_extract(KEM_SUITE, b"", b"eae_prk", shared)
    shared = labeled_expand(KEM_SUITE, extracted, b"shared_secret", enc + public_key(secret), 32)
    context = b"\x00" + labeled_extract(SUITE, b"", b"psk_id_hash", b"")
    context += labeled_extract(SUITE, b"", b"info_hash", info)
    extracted = labeled_extract(SUITE, shared, b"secret", b"")
    key = labeled_expand(SUITE, extracted, b"key", context, 32)
    return aead_open(key, labeled_expand(SUITE, extracted, b"base_nonce", context, 12), text)


# ---- cards


def open_cards(secret, table, hand, seat, sealed):
    """Position, card and salt of each card."""
    length = len(sealed) - ENC - TAG
    check(length >= 0 and length % CARD == 0, "WRONG_LENGTH", f"{len(sealed)} bytes are those of no number of cards")
    info = b"razz.cards.v1" + table + struct.pack(">QB", hand, seat)
    plain = hpke_open(secret, sealed[:ENC], info, sealed[ENC:])
    check(plain is not None, "NOT_OPENED", "it is sealed to another key, for other cards, or was changed")
    cards = [(plain[at], plain[at + 1], plain[at + 2:at + CARD]) for at in range(0, len(plain), CARD)]
    check(all(max(position, card) < CARDS for position, card, _ in cards), "NO_CARDS", "what it holds are no cards")
    return cards


def outcome(vector, secret):
    try:
        table, sealed = table_of(vector["table_id"]), some_bytes("".join(vector["sealed"]))
        cards = open_cards(secret, table, vector["hand_number"], vector["seat"], sealed)
        return [[position, in_words(card), salt.hex()] for position, card, salt in cards]
    except Refused as refused:
        return refused.name


def try_vectors(vectors):
    if vectors["format"] != "razz.sealed-cards-vectors.v1":
        raise Unreadable("the format 'razz.sealed-cards-vectors.v1' is expected")
    wrong = 0
    for vector in vectors["vectors"]:
        secret = exactly(32, vector["secret_key"])
        found = outcome(vector, secret)
        if found != vector["expect"] or public_key(secret).hex() != vector["card_key"]:
            wrong += 1
            print(f"{vector['name']}: {found}, where {vector['expect']} is expected")
    print(f"{len(vectors['vectors'])} sealed texts tried, {wrong} wrong")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description="Open cards that were sealed to a player's key.")
    parser.add_argument("--vectors", metavar="FILE", help="the vectors to try this program on, and nothing else")
    parser.add_argument("--key", metavar="FILE", help="the secret key: 64 hexadecimal digits in a file")
    parser.add_argument("--table", metavar="ID")
    parser.add_argument("--hand", metavar="N", type=int)
    parser.add_argument("--seat", metavar="N", type=int)
    parser.add_argument("--sealed", metavar="HEX")
    args = parser.parse_args()
    try:
        if args.vectors:
            with open(args.vectors, "rb") as file:
                return try_vectors(parse(file.read()))
        if None in (args.key, args.table, args.hand, args.seat, args.sealed):
            parser.error("--key, --table, --hand, --seat and --sealed are needed")
        with open(args.key, encoding="ascii") as file:
            secret = exactly(32, file.read().strip())
        cards = open_cards(secret, table_of(args.table), args.hand, args.seat, some_bytes(args.sealed))
    except Refused as refused:
        print(f"{refused.name}: {refused}")
        return 1
    except (Unreadable, OSError, ValueError, struct.error) as error:
        print(f"{error}", file=sys.stderr)
        return 2
    for position, card, salt in cards:
        print(f"position {position}: {in_words(card)} salt {salt.hex()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
