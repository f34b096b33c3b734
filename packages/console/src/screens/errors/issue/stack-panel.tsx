import { useState } from 'react'
import type { IssueEvent } from '../../../api/issues.ts'
import { Button } from '../../../ui/button.tsx'
import { useCopy } from '../../../ui/copy.tsx'
import { Segmented } from '../../../ui/form/choice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { titleOf } from '../issue-words.ts'
import { stackAsText } from './fold-frames.ts'
import { MissingMaps } from './missing-maps.tsx'
import { StackView } from './stack-view.tsx'

const views = [
  { value: 'mapped', label: 'Original' },
  { value: 'raw', label: 'Minified' },
] as const

/** Only this many frames are mapped; the minified stack shows all of them. */
const framesRead = 250

export function StackPanel({ event }: { event: IssueEvent }) {
  const [view, setView] = useState<(typeof views)[number]['value']>('mapped')
  const isMapped = view === 'mapped'
  const { status, copy } = useCopy(isMapped ? stackAsText(titleOf(event), event.frames) : event.stack)

  if (event.stack === '') {
    return (
      <Panel title="Stack trace">
        <p className="text-pretty text-text-2">
          This error has no stack trace.{' '}
          {event.message.startsWith('Script error')
            ? 'Browsers hide errors of cross-origin scripts unless the script tag has the crossorigin attribute and the server allows it.'
            : 'The application reported a value that is not an Error, or the browser did not expose it.'}
        </p>
      </Panel>
    )
  }
  return (
    <Panel
      title="Stack trace"
      flush
      actions={
        <>
          <Segmented label="Stack trace format" choices={views} value={view} onValue={setView} />
          <Button icon="copy" onClick={copy}>
            {status ?? 'Copy'}
          </Button>
          <span role="status" className="sr-only">
            {status}
          </span>
        </>
      }
    >
      {isMapped && event.frames.length > 0 ? (
        <>
          <StackView key={event.id} event={event} />
          {event.frames.length >= framesRead && (
            <p className="border-line border-t px-14 py-8 text-12 text-text-3">
              The first {framesRead} frames. The rest are in the minified stack trace.
            </p>
          )}
          <MissingMaps key={`maps ${event.id}`} event={event} />
        </>
      ) : (
        <section
          aria-label="Minified stack trace"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
          tabIndex={0}
          className="max-h-[70vh] overflow-auto px-14 py-12 -outline-offset-2"
        >
          <pre className="font-code text-12">{event.stack}</pre>
        </section>
      )}
    </Panel>
  )
}
