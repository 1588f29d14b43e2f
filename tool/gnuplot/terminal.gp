# terminal.gp - a white canvas of `width` and `height` pixels; `caption_text` and `caption_font`, the title
# as it fits; and P, the size of a point, in which the terminals differ.
caption_text = fitted(caption, width - 24)
caption_font = sprintf(',%.1f', font_for(caption, 17, width - 24))
if (format eq 'svg') {
    set terminal svg size width,height noenhanced background 'white' font 'sans-serif,14'
    P = 0.65
}
if (format eq 'pdf') {
    # 96 pixels to the inch
    set terminal pdfcairo size width / 96.0 in, height / 96.0 in noenhanced \
        background 'white' font 'sans-serif,14' fontscale 0.75 linewidth 0.8
    P = 0.8
}
if (format eq 'png') {
    P = 1.1
    if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {
        set terminal pngcairo size width,height noenhanced background 'white' \
            font 'sans-serif,14' fontscale 0.8
    } else {
        set terminal png size width,height noenhanced background 'white' \
            font 'sans-serif,14'
    }
}
