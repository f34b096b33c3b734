// Frustration signals: rage clicks and dead clicks.

import { labelled } from '../browser/describe-element.ts'

/** Three clicks in one place within this time, milliseconds. */
const rageTime = 1_000
const rageClicks = 3
/** In CSS pixels. */
const rageRadius = 50

type Click = [at: number, x: number, y: number]

/** Reports a rage click at the third click, then nothing until the clicks stop. */
export function createRage(): (click: Click) => boolean {
  let chain: Click[] = []
  return (click) => {
    const [at, x, y] = click
    const last = chain.at(-1)
    const isNext = last && at - last[0] <= rageTime && Math.hypot(last[1] - x, last[2] - y) <= rageRadius
    chain = isNext ? [...chain, click] : [click]
    return chain.length === rageClicks && at - (chain[0]?.[0] ?? 0) <= rageTime
  }
}

const answersByItself =
  'textarea,select,canvas,video,audio,[contenteditable],a[download],a[target],a[href*=":"]:not([href^=http])'
const textField = 'input:not([type=checkbox],[type=radio],[type=button],[type=submit],[type=reset])'
/** Whether a user may expect a response to a click on it. */
export function expectsAnswer(target: Element): boolean {
  if (target.closest(`${answersByItself},${textField}`)) return false
  return !!target.closest(`${labelled},input,[onclick]`) || getComputedStyle(target).cursor === 'pointer'
}
