# hairer_vilmart_section4.gp - what modified Hamiltonians and equations leave: along a run,
# and over the step.
load 'papers.gp'
series = 'terms'
selected(i) = strcol('panel') eq 'run'
load 'names.gp'
columns = 2
panels = 4
load 'canvas.gp'
ycol = 'error'
xcol = 'x'
logarithmic = 'y'
look = 'line'
heading = 'SR2, h = 0.1'
xtext = 'time'
ytext = 'change of the modified Hamiltonian'
load 'panel.gp'
logarithmic = 'xy'
look = 'marked'
xtext = 'step'
do for [j = 1:3] {
    which = word('sr2 dmv2 imr2', j)
    selected(i) = strcol('panel') eq which
    heading = word('SR2 DMV IMR', j)
    ytext = j == 1 ? 'largest change, t to 8' : 'distance from its motion, t = 8'
    load 'panel.gp'
}
load 'legend.gp'
