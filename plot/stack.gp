# stack.gp - begins a picture of panels above each other, `width` by `height` pixels, narrow, so
# that its letters can be read at the width of a column. `caption` is its title. Each panel has
# `top`, pixels from the upper edge, and `tall`, its height, and is one of series.gp, sphere.gp
# and cloud.gp.
load 'terminal.gp'
unset datafile columnheaders
set multiplot
titled = 0 # the first panel has the title of the picture
screen_y(pixels) = 1 - 1.0 * (pixels) / height
