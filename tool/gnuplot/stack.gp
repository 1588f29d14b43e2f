# stack.gp - begins a picture of panels above each other, narrow, so that its letters can be read at
# the width of a column; or on another sheet, `sheet_width` pixels wide, in two columns. `caption` is its
# title; `paths` and `bodies` say whether sphere.gp and cloud.gp come first, in the left one of two
# columns, and `panels` how many of series.gp follow. A panel is `panel_tall` pixels high, `top` from the
# upper edge, which it moves on to its lower one.
if (!exists('sheet_width')) { sheet_width = 640; sheet_columns = 1; sheet_height = 0 }
if (!exists('time_size')) { time_size = 1; time_text = 't'; time_unit = '' }
if (!exists('angles')) { angles = 0 }
load 'begin.gp'
top = 40
nth = 0 # of the panels of series.gp
width = sheet_width
pictured = paths > 0 || bodies > 0
beside = pictured && sheet_columns > 1 && panels > 0
columns_of = beside || panels < 2 ? 1 : sheet_columns
rows_of = (panels + columns_of - 1) / columns_of
picture_wide = beside ? width / 2 : width
picture_tall = pictured ? smaller(650, picture_wide + 76) : 0
if (beside && sheet_height > 0) { picture_tall = smaller(picture_tall, sheet_height - 66) }
middle_x = beside ? 0.25 : 0.5
panel_tall = 236
if (sheet_height > 0 && rows_of > 0) { panel_tall = int(larger(150, (sheet_height - 66) / rows_of)) }
height = 66 + (beside ? larger(picture_tall, panel_tall * rows_of) : picture_tall + panel_tall * rows_of)
load 'terminal.gp'
unset datafile columnheaders
set multiplot
titled = 0 # the first panel has the title of the picture
screen_y(pixels) = 1 - 1.0 * (pixels) / height

# The distance of tics of an axis from `low` to `end`, at most `most` of them.
tic_step(low, end, most) = (rough = abs(end - low) / most, power = 10 ** floor(log10(larger(rough, 1e-300))), \
    rough <= power ? power : rough <= 2 * power ? 2 * power : rough <= 5 * power ? 5 * power : 10 * power)
