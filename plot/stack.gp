# stack.gp - begins a picture of panels above each other, narrow, so that its letters can be read at
# the width of a column. `caption` is its title; `paths` and `bodies` say whether sphere.gp and
# cloud.gp come first, and `panels` how many of series.gp follow. A panel is `tall` pixels high,
# `top` from the upper edge, which it moves on to its lower one.
top = 40
width = 640
height = 66 + (paths > 0 ? 650 : 0) + (bodies > 0 ? 640 : 0) + 236 * panels
load 'begin.gp'
load 'terminal.gp'
unset datafile columnheaders
set multiplot
titled = 0 # the first panel has the title of the picture
screen_y(pixels) = 1 - 1.0 * (pixels) / height
