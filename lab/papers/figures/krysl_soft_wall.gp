# krysl_soft_wall.gp - the energy of each method as a band, on the scale of the paper or
# (figure 5) a fifth of it.
load 'papers.gp'
yhigh = figure eq 'krysl_figure4' ? 0.25 : 0.05
ylow = -yhigh
xtext = 'time'
ytext = 'H/H_0 - 1'
selected(i) = strstrt(strcol('run'), 'start') == 0
load 'bands.gp'
