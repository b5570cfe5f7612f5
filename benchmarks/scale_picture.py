"""The picture of docs/scaling.md: how many times as fast builds are with more cores."""

from __future__ import annotations

import math

# With so many cores a build is so many times as fast as with one; by what a message costs.
Speeds = dict[str, list[tuple[int, float]]]

WIDTH, HEIGHT, LEFT, TOP, GAP = 300, 220, 56, 40, 80
INKS = ("#1b6ca8", "#c05a1c", "#2f7d4f")
DASHES = ("", ' stroke-dasharray="4 3"')


def drawn(games: dict[str, Speeds]) -> str:
    """Speed-up and efficiency by the number of cores, as SVG; dashed the second cost of each."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * (LEFT + WIDTH) + GAP} '
        f'{TOP + HEIGHT + 48}" font-family="sans-serif" font-size="12" fill="#444">',
        "<title>How many times as fast with more cores, replayed</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for side, title in enumerate(("times as fast as one core", "of the cores at work, %")):
        x = LEFT + side * (WIDTH + LEFT + GAP // 2)
        lines.append(f'<text x="{x}" y="{TOP - 16}">{title}</text>')
        lines += axes(side, x)
        for (name, speeds), ink in zip(sorted(games.items()), INKS, strict=False):
            for dash, speed in zip(DASHES, speeds.values(), strict=True):
                points = []
                for cores, times in speed:
                    up = place(max(times, 1), HEIGHT) if not side else times / cores * HEIGHT
                    points.append(f"{x + place(cores, WIDTH)},{round(TOP + HEIGHT - up, 1)}")
                lines.append(
                    f'<polyline points="{" ".join(points)}" fill="none" stroke="{ink}" '
                    f'stroke-width="2"{dash}><title>{name}</title></polyline>'
                )
    dashed = ""
    for row, ((name, speeds), ink) in enumerate(zip(sorted(games.items()), INKS, strict=False)):
        at = LEFT + 90 * row
        lines.append(f'<text x="{at}" y="{TOP + HEIGHT + 40}" fill="{ink}">{name}</text>')
        dashed = f"dashed: messages {list(speeds)[1]}"
    lines.append(f'<text x="{LEFT + 300}" y="{TOP + HEIGHT + 40}">cores; {dashed}</text>')
    return "\n".join([*lines, "</svg>", ""])


def axes(side: int, x: int) -> list[str]:
    """The lines and numbers of the left diagram, 0, or the right one, 1, which begins at x."""
    lines = []
    for cores, part in ((1, 0), (10, 33), (100, 67), (1000, 100)):
        at = x + place(cores, WIDTH)
        lines.append(f'<path d="M{at} {TOP}v{HEIGHT}" stroke="#ddd"/>')
        lines.append(f'<text x="{at}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{cores}</text>')
        share = cores if not side else part
        up = TOP + HEIGHT - (place(cores, HEIGHT) if not side else round(part / 100 * HEIGHT, 1))
        lines.append(f'<text x="{x - 8}" y="{up + 4}" text-anchor="end">{share}</text>')
    return lines


def place(value: float, length: int) -> float:
    """Where a number of 1 to 1,000 lies on an axis, by its logarithm."""
    along: float = math.log10(value) / 3 * length
    return round(along, 1)
