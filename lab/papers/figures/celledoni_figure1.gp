# celledoni_figure1.gp - precision and cost; colour by kind, mark and dashes by order.
load 'papers.gp'
selected(i) = strcol('whose') eq 'paper'
series = 'method'
load 'names.gp'
last(s, n) = s[strlen(s) - n + 1:*]
order(k) = last(word(names, k), 2) eq '10' ? 10 : last(word(names, k), 1) eq '8' ? 8 \
    : last(word(names, k), 1) eq '6' ? 6 : 0
begins(k, s) = word(names, k)[1:strlen(s)] eq s
hue(k) = begins(k, 'dmv') ? 0 : begins(k, 'rotation') ? 1 : 2
dash(k) = order(k) == 0 ? 0 : 1 + (order(k) - 6) / 2
# those that lie below others are open and larger
mark(k) = int(word('7 9 5 13', order(k) == 0 ? 1 : (order(k) - 4) / 2 + 1)) - (hue(k) == 1)
size(k) = hue(k) == 1 ? 1.9 : 1.1
panels = 2
load 'canvas.gp'
logarithmic = 'x'
heading = 'Precision and computing time'
xcol = 'seconds'
ycol = 'digits'
xtext = 'computing time (s)'
ytext = 'mean digits of the attitude matrix'
load 'panel.gp'
logarithmic = 'xy'
heading = 'Cost relative to the cheapest'
xcol = 'h'
ycol = 'seconds_relative'
xtext = 'step h'
ytext = 'ratio of the computing times'
load 'panel.gp'
load 'legend.gp'
