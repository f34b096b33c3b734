// The script of every page: the search, and the menu, which is open when there is room for it.

import MiniSearch from 'minisearch'
import type { SearchedSection } from './build-site.ts'

const shownResults = 12
const excerptLength = 140

const query = elementOf('query', HTMLInputElement)
const results = elementOf('results', HTMLDivElement)
const found = elementOf('found', HTMLElement)
let sections: Promise<Index> | undefined
let selected = -1

interface Index {
  search: MiniSearch<SearchedSection>
  byId: ReadonlyMap<string, SearchedSection>
}

async function loadIndex(): Promise<Index> {
  const answer = await fetch('/docs/search.json', { signal: AbortSignal.timeout(20_000) })
  if (!answer.ok) throw new Error(`The search index could not be loaded (${answer.status}).`)
  const all: SearchedSection[] = await answer.json()
  const search = new MiniSearch<SearchedSection>({
    fields: ['title', 'heading', 'text'],
    searchOptions: { boost: { title: 3, heading: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  })
  search.addAll(all)
  return { search, byId: new Map(all.map((section) => [section.id, section])) }
}

async function show(): Promise<void> {
  const text = query.value.trim()
  selected = -1
  query.removeAttribute('aria-activedescendant')
  if (text === '') return close()
  sections ??= loadIndex()
  const index = await sections.catch(() => {
    // The next key press retries.
    sections = undefined
  })
  // The text may have changed while the index was loading.
  if (query.value.trim() !== text) return
  if (index === undefined) return print('The search is not available right now.')
  const hits = index.search.search(text).slice(0, shownResults)
  results.replaceChildren(
    ...hits.flatMap(({ id, terms }, place) => {
      const section = index.byId.get(String(id))
      return section === undefined ? [] : [itemOf(section, terms, place)]
    }),
  )
  print(hits.length === 0 ? `Nothing found for "${text}".` : `${hits.length} results`)
}

function itemOf(
  { id, title, heading, text }: SearchedSection,
  terms: readonly string[],
  place: number,
): HTMLAnchorElement {
  const link = document.createElement('a')
  link.id = `result-${place}`
  link.role = 'option'
  link.href = `/docs/${id}`
  link.tabIndex = -1
  const name = document.createElement('strong')
  name.textContent = heading === '' || heading === title ? title : `${title}: ${heading}`
  const excerpt = document.createElement('span')
  excerpt.textContent = excerptOf(text, terms)
  link.append(name, excerpt)
  return link
}

/** The words around the first matching term. */
function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - 40)
  const begin = from === 0 || places.length === 0 ? 0 : text.indexOf(' ', from) + 1
  const excerpt = text.slice(begin, begin + excerptLength)
  return `${begin > 0 ? '…' : ''}${excerpt}${begin + excerptLength < text.length ? '…' : ''}`
}

function print(text: string): void {
  results.hidden = results.childElementCount === 0
  query.setAttribute('aria-expanded', String(!results.hidden))
  found.textContent = text
  found.classList.toggle('hidden', !results.hidden)
}

function close(): void {
  results.replaceChildren()
  results.hidden = true
  query.setAttribute('aria-expanded', 'false')
  found.textContent = ''
  found.classList.add('hidden')
}

function select(step: number): void {
  const items = [...results.children]
  if (items.length === 0) return
  selected = (selected + step + items.length) % items.length
  for (const [place, item] of items.entries()) item.ariaSelected = String(place === selected)
  query.setAttribute('aria-activedescendant', `result-${selected}`)
  items[selected]?.scrollIntoView({ block: 'nearest' })
}

query.addEventListener('input', () => {
  void show()
})
query.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    select(event.key === 'ArrowDown' ? 1 : -1)
  } else if (event.key === 'Enter') {
    const link = results.children[Math.max(selected, 0)]
    if (link instanceof HTMLAnchorElement) link.click()
  } else if (event.key === 'Escape') {
    query.value = ''
    close()
  }
})
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea')
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  query.focus()
})
document.addEventListener('click', (event) => {
  if (
    !(event.target instanceof Element) ||
    event.target.closest('search') === null ||
    event.target.closest('#results a')
  )
    close()
})

const wide = matchMedia('(min-width: 900px)')
const menu = document.querySelector('details.menu')
const openWhereWide = () => {
  if (menu instanceof HTMLDetailsElement) menu.open = wide.matches
}
openWhereWide()
wide.addEventListener('change', openWhereWide)

function elementOf<Of extends Element>(id: string, type: new () => Of): Of {
  const element = document.getElementById(id)
  if (!(element instanceof type)) throw new Error(`#${id} is missing`)
  return element
}
