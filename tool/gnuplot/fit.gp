# fit.gp - the residuals of a fit, $rows of `polhode fit`: a panel for each of the `kinds` of
# observations that there are, and one of the light curve above its residuals.
array text[4] = ['attitude: residuals about the axes of the body, rad', 'velocity: residuals', \
    'axis: residuals of the direction', 'brightness: residuals']
array list[4] = ['1 2 3', '1 2 3', '1 2 3', '1']
light = int(word(kinds, 4))
panels = light
do for [k = 1:4] { panels = panels + int(word(kinds, k)) }
width_of_all = 3 * (panels - 2 * light) + light
paths = 0; bodies = 0
load 'stack.gp'
logscale = 0
jump = 0
if (light) {
    heading = 'brightness'
    first = 2 + width_of_all
    count = 2
    marks = 1
    names = 'observed computed'
    lowest = 0
    load 'series.gp'
}
first = 2
done = light
do for [k = 1:4] {
    if (int(word(kinds, k))) {
        heading = text[k]
        names = list[k]
        count = words(names)
        marks = count
        done = done + 1
        lowest = done == panels
        load 'series.gp'
        first = first + count
    }
}
unset multiplot
