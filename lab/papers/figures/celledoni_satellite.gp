# celledoni_satellite.gp - for each step the path of the centre of mass and the energy, in
# figure 14 also that of the splitting with the drift first.
steps = "'h = 0.1' 'h = 0.05'"
both = figure eq 'celledoni_figure14'
columns = both ? 3 : 2
panels = 2 * columns
legend = 0
load 'canvas.gp'
selected(i) = strcol('run') eq run
do for [j = 1:2] {
    name = word(steps, j)
    run = (both ? 'MR ' : '').name
    heading = 'Centre of mass, '.(both ? 'MR, ' : '').name
    look = 'dots'
    xcol = 'longitude'
    ycol = 'u3'
    xtext = 'longitude of Q^Te_3 (degrees)'
    ytext = 'u_3'
    xlow = -180; xhigh = 180; ylow = -1; yhigh = 1
    load 'panel.gp'
    look = 'band'
    xcol = 't'
    ycol = 'low'
    high = 'high'
    xtext = 'time (s)'
    ytext = 'H/H_0 - 1'
    xlow = 0; xhigh = 0; ylow = 0; yhigh = 0
    do for [way = 0:columns - 2] {
        run = (way ? 'drift first ' : both ? 'MR ' : '').name
        heading = 'Energy, '.(way ? 'drift first, ' : both ? 'MR, ' : '').name
        load 'panel.gp'
    }
}
unset multiplot
