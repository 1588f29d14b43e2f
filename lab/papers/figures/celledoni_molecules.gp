# celledoni_molecules.gp - errors of the energy over the evaluations of the forces, a panel
# for each start.
series = 'start'
load 'names.gp'
starts = names
series = 'method'
load 'names.gp'
load 'splittings.gp'
panels = words(starts)
columns = panels == 4 ? 2 : 0
load 'canvas.gp'
blown = 1
logarithmic = 'xy'
xcol = 'kicks'
ycol = 'error'
xtext = 'evaluations of the forces'
ytext = 'error of the energy at the end'
do for [j = 1:panels] {
    heading = word(starts, j)
    selected(i) = strcol('start') eq heading
    round_off = strstrt(heading, 'H0') || heading eq 'spacing 5' ? 0 : 1e-14
    load 'panel.gp'
}
load 'legend.gp'
