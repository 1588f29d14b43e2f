# celledoni_perturbed.gp - errors of the energy over the computing time, a panel for each
# kinetic energy.
series = 'energy'
load 'names.gp'
energies = names
series = 'method'
load 'names.gp'
load 'splittings.gp'
panels = words(energies)
load 'canvas.gp'
blown = 1
logarithmic = 'xy'
xcol = 'seconds'
ycol = 'error'
xtext = 'computing time (s)'
ytext = 'largest |H/H_0 - 1|, mean of the starts'
do for [j = 1:panels] {
    heading = word(energies, j)
    selected(i) = strcol('energy') eq heading
    load 'panel.gp'
}
load 'legend.gp'
