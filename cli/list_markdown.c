/* list_markdown.c - what there is, as tables of GitHub markdown. */
#include "list.h"
#include "markdown.h"

/* Properties as the papers head their columns; those without a heading go by their
 * names. */
static const char *const paper_names[PH_KEEPS_COUNT] = {
    [PH_INDEX_MOMENTUM] = "Qy",     [PH_INDEX_CASIMIR] = "C",
    [PH_INDEX_ENERGY] = "H",        [PH_INDEX_SYMMETRIC] = "symmetric",
    [PH_INDEX_POISSON] = "Poisson", [PH_INDEX_SYMPLECTIC] = "symplectic",
};

static void print_kind(outfile *out, const list_choice *choice, const list_kind *kind,
                       const entry *first)
{
    entry e;
    const bool spaces = first->space != NULL && choice->space == NULL;
    outfile_print(out, "| name |%s%s", spaces ? " space |" : "",
                  first->ordered ? " order |" : "");
    for (size_t k = 0; k < PH_KEEPS_COUNT && first->integrator; k++)
        markdown_cell(out, paper_names[k] == NULL ? keeps_names[k] : paper_names[k]);
    outfile_print(out, " title | source |\n|---|%s%s", spaces ? "---|" : "",
                  first->ordered ? "---|" : "");
    for (size_t k = 0; k < PH_KEEPS_COUNT && first->integrator; k++)
        outfile_print(out, ":-:|");
    outfile_print(out, "---|---|\n");
    for (size_t i = 0; list_next(choice, kind, &i, &e); i++) {
        char order[ORDER_TEXT];
        outfile_print(out, "| `%s` |", e.name);
        if (spaces)
            markdown_cell(out, e.space);
        if (e.ordered)
            markdown_cell(out, order_text(&e, order));
        for (size_t k = 0; k < PH_KEEPS_COUNT && e.integrator; k++)
            markdown_cell(out, keeps_mark(&e, k, "✓", ""));
        markdown_cell(out, e.title);
        markdown_cell(out, e.cite);
        outfile_print(out, "\n");
    }
}

void list_markdown(outfile *out, const list_choice *choice)
{
    bool any = false;
    entry first;
    for (const list_kind *kind = list_kinds; list_next_kind(choice, &kind, &first);
         kind++) {
        if (choice->kind == NULL)
            outfile_print(out, "%s## %s\n\n", any ? "\n" : "", kind->plural);
        print_kind(out, choice, kind, &first);
        any = true;
    }
}
