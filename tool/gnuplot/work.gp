# work.gp - work and precision of methods, the rows of `polhode compare`: the error over the
# step, with lines of the slopes of the `orders`, and over the computing time. Errors below
# `noise` are round-off; `error_text` says what they are.
series = 'method'
load 'names.gp'
load 'families.gp'
of_order(c, p, slope) = order(c) == p
panels = 2
load 'canvas.gp'
logarithmic = 'xy'
least = 1e-17
round_off = noise
ycol = 'error'
xcol = 'step'
heading = 'Error and step'
xtext = 'step'
ytext = error_text
do for [p = 1:32] {
    if (strstrt(' '.orders.' ', sprintf(' %d ', p)) > 0) { slopes = slopes.sprintf('%d ', p) }
}
# All steps stand in the panel, also those that gave nothing.
xlow = 1e301
see(a) = (xlow = smaller(xlow, a / 1.25), xhigh = larger(xhigh, a * 1.25))
set table $unused
plot $csv using (see(abs(column('step'))), 0) with table
unset table
load 'panel.gp'
heading = 'Error and work'
xcol = 'seconds'
xtext = 'computing time in seconds'
ytext = ''
slopes = ''
xlow = 0; xhigh = 0
load 'panel.gp'
load 'legend.gp'
