// Typesets the formulas of a page.
document.addEventListener("DOMContentLoaded", () => {
    for (const formula of document.querySelectorAll(".formula"))
        katex.render(formula.textContent, formula, { displayMode: formula.classList.contains("display"), throwOnError: false });
});
