# ortolan_figure4_3.gp - what a step costs.
load 'papers.gp'
series = 'method'
load 'names.gp'
look = 'bars'
legend = 0
panels = 3
load 'canvas.gp'
selected(i) = strcol('step') eq step
step = 'h = 0.125'
heading = 'Time of a step, h = 0.125'
ycol = 'seconds_per_step'
ytext = 'seconds'
load 'panel.gp'
heading = 'Ratio to ELN, h = 0.125'
ycol = 'seconds_ratio'
ytext = 'time over that of ELN'
load 'panel.gp'
step = 'h = 0.25'
heading = 'Ratio to ELN, h = 0.25'
load 'panel.gp'
unset multiplot
