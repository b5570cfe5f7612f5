"""Slurs: words that are left out of the lists that Guessbook makes.

They insult people for their origin, faith, sex, love or disability. A dictionary may list them, and
some games accept them, but Guessbook should not suggest them or draw them as secrets. A player may
still type them, and lists of the player's own keep them.
"""

# The first digits of the SHA-256 of each word, so that nobody has to read the words here. Words
# that are often used in another sense are not listed. To add a word, add the result of `digest`.
DIGITS = 10
DIGESTS = frozenset(
    """
    044eb98b18 08728a39b5 08a841e996 093b7636b2 0b4341fafa 0be9b885f4 0ce875d620 0dcc4d3364
    118418653f 11cf8376a1 11ee63a73f 120f6e5b4e 1290d04b90 12e6274e43 13895a3b5c 15551266fa
    158869a973 16ea09fc78 171ee4d3a3 17a110e533 17bde8b406 1802d08145 1dad193691 1e02eec4f1
    22fc75e65a 2582739e6b 267463e5e3 268651b3ec 27a62b6817 27eb0c4ad7 2f960563c0 3160c321bc
    3175bf0638 333f761809 33740da8a8 33b536d782 341d56384a 37616f4466 3a1e06365c 3b1e0d7c5d
    3cb6a563b3 3ff9947148 402f7ebd98 43508b5c03 448b303c89 457f002f92 45cd3e1bb4 469c0fdb60
    470dd24587 4753d01249 4761f877ca 47ca300a66 4b18aefe82 4c58f5d5fe 4e8a200044 4efce9364f
    565ed74643 56d9e1f657 586697d3fa 5b3ae48be1 5c4a88caa6 60a2bd4c34 6122fdf4ae 619bc82e0d
    63bd9333b1 641f55c1ce 6437ea7144 66415f8ce3 6939937b0a 693ee9961b 6b571f65fa 6b95d47887
    6cfcdedf54 6d1833779e 6dbe0f85a0 701033ae26 70aafb4266 7122c9a14b 7c28a8e09b 7cfc9425c5
    7e176c4f23 80c6b7cd41 82159dd028 83bd72f7a1 85580f9044 87d1690e74 886d51e97a 8f5083e3e5
    9059c1e108 92a9bf818e 937d56e497 94c6d2e10a 98980840dd 98b52c4b6b 9915ba2d82 9ae315a94e
    9d57436661 9f1c7abfa2 a40ccba874 a75714f4f5 a7bf072c97 a9ffceafa1 acc96930e3 ad64e56f21
    ad6cacf3af b3cec2f6ec b829beb00d ba59331131 bb209d506b bb87adf8aa bbf8bb7863 be00f1af52
    c1b4ed0539 c1cabb6f6e c22f315f1b c2c3b68b48 c3de533e9b c70e3e7c47 c74677aba3 c905e73dd4
    cc02032349 d0e3cb91d2 d284d1cb23 d873147a35 da88439262 dab65198c6 daec0c235d e7b98c6aa5
    e9e8b6c5af ed53756f02 eda887476f ee5a869b5a eea2991640 eef3bd0916 ef6e97ba7f f0a67995cb
    f59e28f8bb f9d0d9b18a fd46d15684
    """.split()  # noqa: SIM905
)


def is_slur(word: str) -> bool:
    """Return whether a word in lower case is a slur.

    >>> is_slur("crane")
    False
    """
    return digest(word) in DIGESTS


def digest(word: str) -> str:
    """Return the first `DIGITS` hexadecimal digits of the SHA-256 of a word.

    >>> digest("crane")
    '2c6ac23e4f'
    """
    from hashlib import sha256  # late import: only lists of words need it

    return sha256(word.encode()).hexdigest()[:DIGITS]
