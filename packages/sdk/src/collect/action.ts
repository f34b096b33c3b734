// User actions: clicks and changed fields. A click ends when the page is quiet again; until then requests and errors
// are attributed to it.

import type { EventOf } from '@telltale/core/contract/events'
import { nameOf, selectorOf } from '../browser/describe-element.ts'
import { guarded } from '../browser/guard.ts'
import { listen } from '../browser/listen.ts'
import { createUuid } from '../browser/uuid.ts'
import type { Emit } from '../event.ts'
import type { Activity } from './activity.ts'
import { createRage, expectsAnswer } from './frustration.ts'
import type { Views } from './view.ts'

type Frustration = NonNullable<EventOf<'action'>['frustration']>[number]

export interface ActionOptions {
  emit: Emit
  views: Views
  activity: Activity
  /** Whether the text of a button may be read. */
  mayRead(): boolean
}

export interface Actions {
  /** The click that the page is still responding to. */
  current(): string | undefined
  /** An error occurred. */
  noteError(): void
  /** Stops waiting for a response. */
  finish(): void
}

/** The page counts as quiet after this time without activity, milliseconds. */
const quiet = 100
/** How long a response may take to start, milliseconds: after that, none is expected. */
const deadAfter = 1_000
const longest = 10_000

interface Click {
  id: string
  frustration: Set<Frustration>
  finish(): void
}

export function startActions({ emit, views, activity, mayRead }: ActionOptions): Actions {
  const isRage = createRage()
  let click: Click | undefined

  const onClick = (event: MouseEvent) => {
    const [target] = event.composedPath()
    if (!event.isTrusted || !(target instanceof Element)) return
    click?.finish()
    const at = Date.now()
    const id = createUuid(at)
    const view = views.current()
    const fields = { action: id, name: nameOf(target, mayRead()), target: selectorOf(target) }
    const frustration = new Set<Frustration>(isRage([at, event.clientX, event.clientY]) ? ['rage'] : [])
    const isDead = expectsAnswer(target)
    let answeredAt = 0

    const finish = () => {
      click = undefined
      clearTimeout(timer)
      watch.stop()
      view.counts.frustrations += frustration.size
      const duration = Math.max(0, answeredAt - at)
      const kinds = frustration.size > 0 ? [...frustration] : undefined
      emit('action', { ...fields, duration, frustration: kinds }, { at, view })
    }
    const look = guarded(() => {
      const now = Date.now()
      if (!answeredAt && isDead) frustration.add('dead')
      const isBusy = activity.pending() > 0 || now - answeredAt < quiet
      if (!answeredAt || !isBusy || now - at >= longest) return finish()
      watch.again()
      timer = setTimeout(look, quiet)
    })
    const watch = activity.watch(() => {
      if (!answeredAt) {
        clearTimeout(timer)
        timer = setTimeout(look, quiet)
      }
      answeredAt = Date.now()
    })
    let timer = setTimeout(look, deadAfter)
    click = { id, frustration, finish }
  }
  const onChange = ({ target, isTrusted }: Event) => {
    if (!isTrusted || !(target instanceof Element)) return
    const attributes = { type: 'input' }
    emit('action', { name: nameOf(target, mayRead()), target: selectorOf(target), attributes })
  }
  listen(globalThis, 'click', onClick)
  listen(globalThis, 'change', onChange)

  return {
    current: () => click?.id,
    noteError: () => click?.frustration.add('error'),
    finish: () => click?.finish(),
  }
}
