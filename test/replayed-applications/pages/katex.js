// Formulas: deep trees of spans, placed by inline styles, in fonts of their own.
import katex from 'katex'
import 'katex/dist/katex.css'

const formulas = [
  String.raw`f(x) = \int_{-\infty}^{\infty} \hat f(\xi)\,e^{2 \pi i \xi x}\,d\xi`,
  String.raw`\begin{pmatrix} a & b \\ c & d \end{pmatrix}^{-1} = \frac{1}{ad-bc} \begin{pmatrix} d & -b \\ -c & a \end{pmatrix}`,
  String.raw`\sum_{k=1}^{n} k^2 = \frac{n(n+1)(2n+1)}{6}`,
]
const add = (formula) =>
  katex.render(formula, document.body.appendChild(document.createElement('p')), { displayMode: true })
for (const formula of formulas) add(formula)

window.steps = {
  'as it was loaded': () => document.fonts.ready,
  'a formula was changed': () =>
    katex.render(String.raw`\sqrt[3]{\frac{x}{1+\sqrt{y}}}`, document.querySelector('p'), {
      displayMode: true,
    }),
  'with twenty more': () => {
    for (let index = 0; index < 20; index++)
      add(String.raw`x_{${index}} = \sqrt{${index} + \frac{1}{x_{${index + 1}}}}`)
  },
  'in another order': () => document.body.append(...[...document.querySelectorAll('p')].reverse()),
}
