// Builds elements without markup and without style attributes, which strict content policies and Trusted Types refuse.

export type Content = Node | string

export type Properties = Record<string, string | boolean | ((event: Event) => void)>

/** A function is a listener for the event of its name; `true` is an empty attribute, `false` none. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...content: Content[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') made.addEventListener(name, value)
    else if (value !== false) made.setAttribute(name, value === true ? '' : value)
  }
  made.append(...content)
  return made
}

export function button(label: string, onClick: () => void, properties: Properties = {}): HTMLButtonElement {
  return element('button', { type: 'button', click: onClick, ...properties }, label)
}
