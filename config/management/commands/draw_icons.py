"""The shield as PNG files, for home screens that read no SVG."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings
from django.core.management.base import BaseCommand
from numpy.typing import NDArray

BANNER = (15, 29, 56)
GRAIN = 4  # each pixel is the mean of 4 x 4
Point = tuple[float, float]
Curve = tuple[Point, Point, Point, Point]


def _along(curve: Curve, steps: int = 24) -> list[Point]:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = curve
    found = []
    for step in range(1, steps + 1):
        t = step / steps
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        found.append((a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy))
    return found


RIGHT = _along(((28, 18.5), (28, 26.5), (22, 31), (14, 34)))
LEFT = _along(((14, 34), (6, 31), (0, 26.5), (0, 18.5)))
SHAPES: list[tuple[tuple[int, int, int], list[Point]]] = [  # the paths of tiltyard.svg, 28 wide and 34 high
    ((244, 247, 252), [(0, 0), (28, 0), (28, 18.5), *RIGHT, *LEFT]),
    ((201, 41, 63), [(2, 2), (14, 2), (14, 31.6), *_along(((14, 31.6), (7, 28.9), (2, 25), (2, 18.5)))]),
    ((36, 87, 197), [(14, 2), (26, 2), (26, 18.5), *_along(((26, 18.5), (26, 25), (21, 28.9), (14, 31.6)))]),
    (
        (255, 201, 60),
        [(5, 7), (23, 7), (23, 11.5), (16.5, 11.5), (16.5, 27.5), (14, 29.5), (11.5, 27.5), (11.5, 11.5), (5, 11.5)],
    ),
]


def _inside(outline: list[Point], x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which points an outline holds, by the parity of the edges to their right."""
    held = np.zeros(np.broadcast(x, y).shape, dtype=np.bool_)
    for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if ay != by:
            held ^= ((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return held


def draw(size: int, share: float) -> bytes:
    """A PNG of ``size`` pixels a side: the shield ``share`` as high, on the banner's blue up to the edges."""
    grid = (np.arange(size * GRAIN) + 0.5) / GRAIN
    scale = 34 / (size * share)
    x, y = ((grid - size / 2) * scale + 14)[None, :], ((grid - size / 2) * scale + 17)[:, None]
    pixels = np.empty((size * GRAIN, size * GRAIN, 3), dtype=np.float64)
    pixels[:] = BANNER
    for colour, outline in SHAPES:
        pixels[_inside(outline, x, y)] = colour
    small = pixels.reshape(size, GRAIN, size, GRAIN, 3).mean(axis=(1, 3)).round().astype(np.uint8)
    rows = b"".join(b"\0" + row.tobytes() for row in small)
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


ICONS = {  # a maskable one may be cut to a circle
    "tiltyard-180": (180, 0.78),
    "tiltyard-192": (192, 0.86),
    "tiltyard-512": (512, 0.86),
    "tiltyard-maskable": (512, 0.6),
}


class Command(BaseCommand):
    help = "Draws static/icons/*.png from the paths of the shield."

    def handle(self, *args: Any, **options: Any) -> None:
        for name, (size, share) in ICONS.items():
            path = Path(settings.BASE_DIR) / "static" / "icons" / f"{name}.png"
            path.write_bytes(draw(size, share))
            self.stdout.write(f"{path.name}: {size} x {size}")
