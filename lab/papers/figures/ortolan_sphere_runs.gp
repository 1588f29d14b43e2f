# ortolan_sphere_runs.gp - of the long runs the energy of each (figures 7.1, 7.4 and 7.7),
# the momentum (7.4), or the constraints (7.2, 7.5 and 7.8).
load 'papers.gp'
number = figure[strlen(figure):*]
xtext = 'time in s'
xcol = 't'
columns = 2
series = 'run'
if (number eq '1' || number eq '7') {
    ytext = 'E - E_0 in J'
    load 'bands.gp'
} else {
    selected(i) = strstrt(strcol('run'), 'start') == 0
    load 'names.gp'
    runs = names
    panels = number eq '4' ? words(runs) + 1 : 2
    load 'canvas.gp'
    if (number eq '4') {
        series = ''
        look = 'band'
        ycol = 'low'
        high = 'high'
        ytext = 'E - E_0 in J'
        selected(i) = strcol('run') eq heading
        do for [j = 1:words(runs)] {
            style = j
            heading = word(runs, j)
            load 'panel.gp'
        }
    }
    selected(i) = strstrt(strcol('run'), 'start') == 0
    names = runs
    series = 'run'
    look = 'line'
    logarithmic = 'y'
    if (number eq '4') {
        heading = 'Angular momentum about the vertical'
        ycol = 'momentum'
        ytext = '|L - L_0|'
        load 'panel.gp'
    } else {
        heading = 'Length of q, brought back to 1 in every step'
        ycol = 'length'
        ytext = '| |q| - 1 |, largest of the spheres so far'
        ylow = 1e-17; yhigh = 1e-12
        load 'panel.gp'
        heading = 'Orthogonality of q and w'
        ycol = 'orthogonality'
        ytext = '|q.w| in rad/s, largest of the spheres'
        ylow = 0; yhigh = 0
        load 'panel.gp'
    }
    load 'legend.gp'
}
