# ortolan_figure4_1.gp - the energy of each run as a band, without those from other starts.
load 'papers.gp'
xtext = 'time'
ytext = 'E - E_0'
selected(i) = strstrt(strcol('run'), 'start') == 0
load 'bands.gp'
