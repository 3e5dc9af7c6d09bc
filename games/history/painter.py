"""The program that paints the SVG it reads as a PNG: `painter.py FONT FAMILY WIDTH`.

The library lets nothing else run in its process for a second or two; this one has nothing else, and takes 30 MB.
"""

import os
import sys

from resvg_py import svg_to_bytes

if __name__ == "__main__":
    os.nice(5)  # pages and deadlines come first
    font, family, width = sys.argv[1:]
    png = svg_to_bytes(
        svg_string=sys.stdin.buffer.read().decode(),
        width=int(width),
        skip_system_fonts=True,
        font_files=[font],
        font_family=family,
        sans_serif_family=family,
    )
    sys.stdout.buffer.write(png)
