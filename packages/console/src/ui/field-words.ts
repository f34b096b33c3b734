import { type FieldRef, parseFields, printField } from '@telltale/core/telemetry/filter'
import { type FieldName, fieldDefinition } from '@telltale/core/telemetry/filter-fields'

/** What each field of the filter language says of an event, for whoever chooses one. */
export const fieldNotes: Readonly<Record<FieldName, string>> = {
  kind: 'View, vital, action, request or file, error, long frame, event of your own, exposure',
  page: 'The page as a pattern: /cart/:id',
  url: 'The whole address, without what may have been typed',
  referrer: 'Where the view came from',
  browser: 'Chrome, Safari, Firefox …',
  'browser-version': 'Its major version',
  os: 'Windows, iOS, Android …',
  device: 'Desktop, phone or tablet',
  country: 'By the address of the visitor, which is not kept',
  connection: 'What the browser thinks of its network: 4g, 3g …',
  service: 'The application, where several report here',
  version: 'Of the application',
  source: 'Which client sent it',
  user: 'Whom the application named, else the browser',
  session: 'One visit',
  view: 'One view of a page',
  flag: 'The variation that was read until then',
  attr: 'What the application says of its events',
  name: 'Of a vital, an action or an event of your own',
  target: 'The element that was clicked or painted, or the address that was asked for',
  frustration: 'Rage clicks, dead clicks, clicks that ended in an error',
  issue: 'Errors that are the same one',
  error: 'What the error says',
  'error-type': 'TypeError, NetworkError …',
  handled: 'Whether the application went on',
  method: 'GET, POST …',
  host: 'Whom a request or a file was asked of',
  endpoint: 'The path of a request as a template: /api/orders/:id',
  status: 'What was answered: 200, 404 …',
  failed: 'No answer, or 400 and above',
  'resource-type': 'Request, script, style, image …',
  replay: 'Whether the session was recorded',
  bot: 'Whether a program looked at the page. Bots are left out unless they are asked for',
  lcp: 'Until the largest thing was painted',
  inp: 'The slowest answer to a tap, click or key',
  cls: 'How far things jumped while they were read',
  fcp: 'Until the first thing was painted',
  ttfb: 'Until the server began to answer',
  value: 'Of an event of your own, or of any vital',
  duration: 'Of requests, files, actions and long frames',
  blocking: 'How long a frame kept the page from answering',
  size: 'Of what was transferred',
  'entry-page': 'Where the session began',
  'exit-page': 'Where the session ended',
  length: 'From the first event of a session to the last',
  views: 'How many views the session had',
  actions: 'How many actions the session had',
  requests: 'How many requests the session made',
  'failed-requests': 'How many of them failed',
  errors: 'How many errors the session had',
  'unhandled-errors': 'How many of them nobody caught',
  'rage-clicks': 'How often somebody clicked in anger',
  'dead-clicks': 'How often a click did nothing',
  'error-clicks': 'How often a click ended in an error',
  trouble: 'All of these together',
}

/** `Browser`, `Flag checkout`, `Attribute plan`. */
export function fieldLabel({ field, key }: FieldRef): string {
  const { label } = fieldDefinition(field)
  return key === '' ? label : `${label} ${key}`
}

/** One field as it stands in an address; undefined for anything else. */
export function readField(text: string | undefined): FieldRef | undefined {
  const [field, ...rest] = readFields(text)
  return rest.length === 0 ? field : undefined
}

/** Those with a key need one. */
export function readFields(text: string | undefined): readonly FieldRef[] {
  const parsed = text === undefined ? undefined : parseFields(text)
  if (!parsed?.ok) return []
  return parsed.result.filter(({ field, key }) => key !== '' || fieldDefinition(field).isKeyed !== true)
}

export const fieldsText = (fields: readonly FieldRef[]) => fields.map(printField).join(',')
