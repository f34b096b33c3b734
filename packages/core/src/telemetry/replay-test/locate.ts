// Chooses how a test finds a recorded element: by role and name, label, placeholder, test id or text, then by a stable
// id or attribute, and last by its place. A choice has to find this element alone in the page of that moment.

import {
  clean,
  isHidden,
  isMasked,
  isTextField,
  labelOf,
  nameOf,
  piecesOf,
  roleOf,
} from './accessible-name.ts'
import { aroundOf, attributeOf, documentOf, elementsIn, type PageNode } from './page-model.ts'

export type LocatorPart =
  | { readonly by: 'role'; readonly role: string; readonly name?: string; readonly exact?: boolean }
  | { readonly by: 'label' | 'placeholder' | 'text'; readonly text: string }
  | { readonly by: 'test-id'; readonly id: string }
  | { readonly by: 'css'; readonly selector: string }
  /** Of the parts before it, the one with this text in it. */
  | { readonly by: 'with-text'; readonly text: string }
  | { readonly by: 'frame'; readonly selector: string }

export interface Locator {
  /** Each within the one before. */
  readonly parts: readonly LocatorPart[]
  /** It depends on the place of the element, so that a change of the page can break it. */
  readonly isFragile: boolean
}

const longestText = 60
const testIdAttribute = 'data-testid'
/** Parts of a page that users know by name, or of which each has another text. */
const scopes = new Set(
  'dialog navigation main search form region listitem row article group tabpanel'.split(' '),
)
const onlyOnes = new Set('button checkbox combobox searchbox slider spinbutton textbox'.split(' '))
const repeated = new Set(['listitem', 'row', 'article'])

export function locate(target: PageNode): Locator {
  const inPage = locateIn(documentOf(target), target)
  const frame = documentOf(target).parent
  if (frame === undefined) return inPage
  const outer = locateIn(documentOf(frame), frame, [])
  const selectors = outer.parts.flatMap((part): LocatorPart[] =>
    part.by === 'css' ? [{ by: 'frame', selector: part.selector }] : [],
  )
  return { parts: [...selectors, ...inPage.parts], isFragile: inPage.isFragile || outer.isFragile }
}

function locateIn(document: PageNode, target: PageNode, candidates = candidatesOf(target)): Locator {
  const page = createSearch(document)
  const find = (parts: readonly LocatorPart[]): readonly LocatorPart[] | undefined => {
    const unique = parts.find((part) => page.count(part) === 1)
    return unique ? [unique] : locateInScope(target, parts, page)
  }
  const stable = stableSelectors(target).find((part) => page.count(part) === 1)
  // The only one of its kind, in the page or in a part of it: what is left where all text is masked.
  const role = roleOf(target)
  const lonely = () => (onlyOnes.has(role) ? find([{ by: 'role', role }]) : undefined)
  const parts = find(candidates) ?? (stable ? [stable] : lonely())
  return parts
    ? { parts, isFragile: false }
    : { parts: [{ by: 'css', selector: placeOf(target) }], isFragile: true }
}

/** In order of preference. */
function candidatesOf(target: PageNode): LocatorPart[] {
  const role = roleOf(target)
  const testId = attributeOf(target, testIdAttribute)
  const placeholder = clean(attributeOf(target, 'placeholder'))
  const label = isField(target) ? usable(labelOf(target)).slice(0, 1) : []
  const isPlain = target.tag === 'label' || target.children.every(({ kind }) => kind === 'text')
  const own = isPlain ? usable(piecesOf(target)) : []
  return [
    ...(role
      ? namesOf(usable(nameOf(target))).map((name): LocatorPart => ({ by: 'role', role, ...name }))
      : []),
    ...label.map((text): LocatorPart => ({ by: 'label', text })),
    ...usable([placeholder]).map((text): LocatorPart => ({ by: 'placeholder', text })),
    ...(testId && !isMasked(testId) ? [{ by: 'test-id' as const, id: testId }] : []),
    ...(role ? [] : own.slice(0, 1).map((text): LocatorPart => ({ by: 'text', text }))),
  ]
}

const usable = (pieces: readonly string[]): string[] =>
  pieces.filter((text) => text !== '' && text.length <= longestText && !isMasked(text))

/** Numbers change with the data, so that a name without its number comes first, if it is one. */
function namesOf(pieces: readonly string[]): { name: string; exact?: boolean }[] {
  return pieces.flatMap((name, index) => {
    const [start = ''] = name.split(/[^\p{L}\p{M}\s'’-]*\d/u, 1)
    const words = start.replace(/[\s\p{P}\p{S}]+$/u, '')
    const isShorter = words !== name && /\p{L}{3}/u.test(words)
    const isWhole = index === 0 && pieces.length === 1
    return [...(isShorter ? [{ name: words }] : []), { name }, ...(isWhole ? [{ name, exact: true }] : [])]
  })
}

/** Within the nearest part of the page that can be found and in which a candidate is unique. */
function locateInScope(
  target: PageNode,
  candidates: readonly LocatorPart[],
  page: Search,
): LocatorPart[] | undefined {
  for (const scope of aroundOf(target)) {
    if (scope === target || scope.kind !== 'element') continue
    const found = scopesOf(scope).find((parts) => page.countAll(parts) === 1)
    if (found === undefined) continue
    const inside = createSearch(scope)
    const inner = candidates.find((part) => inside.count(part) === 1)
    if (inner) return [...found, inner]
  }
  return undefined
}

function scopesOf(scope: PageNode): LocatorPart[][] {
  const role = roleOf(scope)
  const found: LocatorPart[][] = []
  const testId = attributeOf(scope, testIdAttribute)
  if (testId && !isMasked(testId)) found.push([{ by: 'test-id', id: testId }])
  if (scopes.has(role)) {
    for (const { name } of namesOf(usable(nameOf(scope)).slice(0, 1)))
      found.push([{ by: 'role', role, name }])
    if (/^(main|dialog|search|navigation)$/.test(role)) found.push([{ by: 'role', role }])
    if (repeated.has(role))
      for (const text of usable(piecesOf(scope)).slice(0, 3))
        found.push([
          { by: 'role', role },
          { by: 'with-text', text },
        ])
  }
  return [...found, ...stableSelectors(scope).map((part) => [part])]
}

function stableSelectors(target: PageNode): LocatorPart[] {
  const { tag } = target
  const id = attributeOf(target, 'id')
  const name = attributeOf(target, 'name')
  return [
    ...(isStableId(id) ? [`#${id}`] : []),
    ...(isStableId(name) && /^(input|select|textarea|button|form|iframe)$/.test(tag)
      ? [`${tag}[name="${name}"]`]
      : []),
  ].map((selector) => ({ by: 'css', selector }))
}

/** Written by a developer: frameworks make ids with colons, long numbers or random letters. */
export function isStableId(id: string): boolean {
  if (!/^[a-z][\w-]{1,40}$/i.test(id) || isMasked(id)) return false
  return !/\d{3}|radix|headlessui|(?=[a-f-]*\d)[\da-f-]{8}/i.test(id)
}

/** From the nearest stable id, or from the root. */
function placeOf(target: PageNode): string {
  const steps: string[] = []
  for (const node of aroundOf(target)) {
    if (node.kind !== 'element') continue
    const id = attributeOf(node, 'id')
    if (
      node !== target &&
      isStableId(id) &&
      createSearch(documentOf(node)).count({ by: 'css', selector: `#${id}` }) === 1
    )
      return [`#${id}`, ...steps].join(' > ')
    const same = (node.parent?.children ?? []).filter(({ tag }) => tag === node.tag)
    steps.unshift(same.length > 1 ? `${node.tag}:nth-of-type(${same.indexOf(node) + 1})` : node.tag)
    // A shadow tree is searched through, but no step leads into it.
    if (node.parent?.kind === 'shadow') return steps.join(' > ')
  }
  return steps.join(' > ')
}

interface Search {
  count(part: LocatorPart): number
  countAll(parts: readonly LocatorPart[]): number
}

/** Counts what a locator finds below a root: rather more than a browser, which leaves out what styles hide. */
function createSearch(root: PageNode): Search {
  const all = [...elementsIn(root)]
  const byRole = new Map<string, PageNode[]>()
  for (const node of all) {
    const role = roleOf(node)
    const same = byRole.get(role)
    if (same) same.push(node)
    else byRole.set(role, [node])
  }
  const findRole = ({ role, name, exact }: Extract<LocatorPart, { by: 'role' }>) =>
    (byRole.get(role) ?? []).filter((node) => {
      if (name === undefined) return isShown(node)
      const own = nameOf(node).join(' ')
      return (exact ? clean(own) === name : squash(own).includes(squash(name))) && isShown(node)
    })
  const findOne = (part: LocatorPart): PageNode[] => {
    switch (part.by) {
      case 'role':
        return findRole(part)
      case 'label':
        return all.filter((node) => isField(node) && contains(labelled(node), part.text))
      case 'placeholder':
        return all.filter(
          (node) => isTextField(node) && contains(attributeOf(node, 'placeholder'), part.text),
        )
      case 'test-id':
        return all.filter((node) => attributeOf(node, testIdAttribute) === part.id)
      case 'text':
        return all.filter((node) => ownText(node) !== '' && contains(ownText(node), part.text))
      case 'css':
        return all.filter((node) => matchesStable(node, part.selector))
      case 'with-text':
      case 'frame':
        return []
    }
  }
  return {
    count: (part) => findOne(part).length,
    countAll: ([first, second]) => {
      const found = first ? findOne(first) : []
      if (second?.by !== 'with-text') return found.length
      return found.filter((node) => contains(piecesOf(node).join(' '), second.text)).length
    },
  }
}

const isField = ({ tag }: PageNode) => /^(input|select|textarea|button)$/.test(tag)
const labelled = (node: PageNode) => attributeOf(node, 'aria-label') || labelOf(node).join(' ')
const ownText = (node: PageNode) =>
  clean(node.children.map(({ kind, text }) => (kind === 'text' ? text : ' ')).join(''))

function isShown(node: PageNode): boolean {
  for (const each of aroundOf(node)) if (isHidden(each)) return false
  return true
}

const squash = (text: string) => text.replace(/\s+/g, '').toLowerCase()
const contains = (text: string, part: string) => squash(text).includes(squash(part))

/** Only the selectors of `stableSelectors`. */
function matchesStable(node: PageNode, selector: string): boolean {
  if (selector.startsWith('#')) return attributeOf(node, 'id') === selector.slice(1)
  const [, tag, name] = /^([a-z]+)\[name="(.*)"\]$/.exec(selector) ?? []
  return node.tag === tag && attributeOf(node, 'name') === name
}
