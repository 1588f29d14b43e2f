# begin.gp - what all pictures share. The caller has set `format` ('svg' or 'png'), `caption`
# (the title of the picture) and $csv, comma-separated columns under their names.
set datafile separator comma
set datafile columnheaders
set encoding utf8

# The word in the column `c`, quoted as word() wants it; and which rows count: those with
# selected(0), anything that looks at their columns.
quoted(c) = "'".strcol(c)."' "
selected(i) = 1

smaller(a, b) = a < b ? a : b
larger(a, b) = a > b ? a : b
is_finite(a) = a == a && abs(a) < 1e300

# The size of a font, at most `size`, with which a text takes at most `room` pixels; and the text, cut
# where it does not fit even in the smallest one.
LETTER = 0.62 # mean width of a letter over the size of the font
SMALLEST = 9
font_for(text, size, room) = smaller(size, larger(SMALLEST, room / (LETTER * larger(1, strlen(text)))))
fitted(text, room) = strlen(text) * LETTER * SMALLEST <= room ? text \
    : text[1:int(room / (LETTER * SMALLEST)) - 1].'…'

# Colours that stay apart for the colour-blind (after Okabe and Ito), dashes and marks of
# the curve number k; a picture may define them anew before canvas.gp.
COLOURS = '0x005A9E 0xC44E00 0x00855F 0x9C2F78 0x7A6200 0x2F95C9 0x444444 0xB31B1B'
DASHES = "1 '(2,4)' '(10,5)' '(12,4,2,4)'"
MARKS = '7 5 9 13 11 15 6 4 8 12 10 14 2 1 3'
hue(k) = k - 1
pale(k) = 0
dash(k) = k - 1
mark(k) = int(word(MARKS, (k - 1) % words(MARKS) + 1))
size(k) = larger(0.7, 1.85 - 0.15 * k) # later marks are smaller, those below are seen
called(name) = name # what a curve is called in the legend, a panel in its title

# A colour, paler by `part` of the way to white.
paler(c, part) = int(c + part * (255 - c))
shade(rgb, part) = 65536 * paler(rgb / 65536, part) \
    + 256 * paler(rgb / 256 % 256, part) + paler(rgb % 256, part)
colour(k) = shade(int(word(COLOURS, hue(k) % words(COLOURS) + 1)), pale(k))

# Of panels, until set anew: the columns, how they look ('marked', 'line', 'points',
# 'dots', 'band' from ycol to high, 'bars', 'map' with the values in high), which axes are
# logarithmic, ranges (equal: what the points need), the value below which all is
# round-off, the slopes of guiding lines.
names = ''
series = ''
xcol = ''
ycol = ''
high = ''
median = '' # of a band, a line within it
look = 'marked'
logarithmic = ''
xlow = 0; xhigh = 0; ylow = 0; yhigh = 0; zlow = 0; zhigh = 0
round_off = 0
least = -1e300 # values below are drawn there
blown = 0 # points that are infinite or no number are marked at the top
slopes = ''
of_order(c, p, slope) = abs(slope - p) < 0.6 # whether the line of slope p belongs to the curve c
style = 1 # of the curve of a panel without series
columns = 0
legend = 1
panel = 0
xtext = ''; ytext = ''; ztext = ''
