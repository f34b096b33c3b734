import type { FocusEvent } from 'react'
import { flushSync } from 'react-dom'

/**
 * For `onBlur` of what holds several controls: runs when the focus leaves all of them. When a press on a button took the
 * focus, it runs right before what the press does: a field that grows now would move the button from under the pointer.
 */
export function onLeave(run: () => void): (event: FocusEvent) => void {
  return ({ currentTarget, relatedTarget: to }) => {
    if (to instanceof Node && currentTarget.contains(to)) return
    if (to instanceof Element && to.matches('button:active, a:active')) runBeforeClick(run)
    else run()
  }
}

function runBeforeClick(run: () => void): void {
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  const finish = () => {
    if (listening.signal.aborted) return
    listening.abort()
    flushSync(run)
  }
  // A press that is let go of elsewhere brings no click.
  const released = () => setTimeout(finish)
  window.addEventListener('click', finish, options)
  window.addEventListener('pointerup', released, options)
  window.addEventListener('pointercancel', released, options)
}
