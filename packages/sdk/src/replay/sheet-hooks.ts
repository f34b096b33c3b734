// Programs that change style sheets: the interfaces of CSSOM, in each window of the page.

import type { PageWindow, Watching } from './watching.ts'

export interface SheetChanges {
  /** Of a rule, at an index of a sheet or a rule. */
  onInsert(holder: CSSStyleSheet | CSSRule, index: number, text: string): void
  onDelete(holder: CSSStyleSheet | CSSRule, index: number): void
  /** `hasChanged`: otherwise the page got hold of it, and may change it next. */
  onRule(rule: CSSRule, hasChanged: boolean): void
  onWhole(sheet: CSSStyleSheet): void
  /** The list of adopted sheets was read or set. */
  onRoot(root: Document | ShadowRoot): void
  onMedia(sheet: CSSStyleSheet): void
}

type Kind = 'value' | 'get' | 'set'
type OnCall = (target: never, args: readonly unknown[], result: unknown) => void

export function hookSheets({ hook }: Pick<Watching, 'hook'>, changes: SheetChanges) {
  const { onInsert, onDelete, onRule, onWhole, onRoot, onMedia } = changes
  let isOurs = false
  const on = (owner: object | undefined, [kind, names]: [Kind, string], onCall: OnCall) => {
    for (const name of names.split(' '))
      hook({
        owner,
        name,
        kind,
        onCall: (target, args, result) => isOurs || onCall(target as never, args, result),
      })
  }
  const whole = (sheet: CSSStyleSheet | null) => sheet && onWhole(sheet)
  const changed = (rule: CSSRule) => onRule(rule, true)
  const inserted = (holder: CSSStyleSheet | CSSRule, [text]: readonly unknown[], index: unknown) =>
    onInsert(holder, Number(index), `${text}`)
  const deleted = (holder: CSSStyleSheet | CSSRule, [index = 0]: readonly unknown[]) =>
    onDelete(holder, Number(index))
  return {
    hookWindow(window: PageWindow) {
      const of = (name: string): object | undefined => Reflect.get(window, name)?.prototype
      const sheet = of('CSSStyleSheet')
      on(sheet, ['value', 'insertRule'], inserted)
      on(sheet, ['value', 'deleteRule removeRule'], deleted)
      on(sheet, ['value', 'addRule replaceSync'], whole)
      on(sheet, ['value', 'replace'], (target, _, result) => {
        Promise.resolve(result).then(
          () => whole(target),
          () => undefined,
        )
      })
      on(of('StyleSheet'), ['set', 'disabled'], whole)
      on(of('StyleSheet'), ['get', 'media'], onMedia)
      for (const name of ['HTMLStyleElement', 'HTMLLinkElement'])
        on(of(name), ['set', 'disabled'], ({ sheet }: HTMLStyleElement) => whole(sheet))
      for (const name of ['CSSGroupingRule', 'CSSStyleRule']) {
        on(of(name), ['value', 'insertRule'], inserted)
        on(of(name), ['value', 'deleteRule'], deleted)
      }
      for (const name of [
        'Style',
        'Keyframe',
        'FontFace',
        'Page',
        'Media',
        'Keyframes',
        'NestedDeclarations',
      ]) {
        const rule = of(`CSS${name}Rule`) ?? of(`CSS${name}`)
        on(rule, ['get', 'style styleMap media'], (target) => onRule(target, false))
        on(rule, ['set', 'style media selectorText keyText name'], changed)
        on(rule, ['value', 'appendRule'], changed)
        if (name === 'Keyframes') on(rule, ['value', 'deleteRule'], changed)
      }
      const declared = ({ parentRule }: CSSStyleDeclaration) => parentRule && changed(parentRule)
      on(of('CSSStyleDeclaration'), ['value', 'setProperty removeProperty'], declared)
      on(of('CSSStyleDeclaration'), ['set', 'cssText'], declared)
      for (const name of ['Document', 'ShadowRoot'])
        for (const kind of ['get', 'set'] as const) on(of(name), [kind, 'adoptedStyleSheets'], onRoot)
    },
    /** What the recorder reads itself is no use by the page. */
    unnoted<Result>(read: () => Result): Result {
      const before = isOurs
      isOurs = true
      try {
        return read()
      } finally {
        isOurs = before
      }
    },
  }
}
