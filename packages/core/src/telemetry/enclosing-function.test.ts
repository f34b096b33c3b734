import { expect, test } from 'vitest'
import { enclosingFunction } from './enclosing-function.ts'

const code = `import { ask } from './api.ts'

export async function payWithCard(order: Order) {
  const total = sum(order)
  if (total > 0) {
    return await charge(total)
  }
}

function Page() {
  useEffect(() => {
    document.title = 'no'
  }, [])
}

const charge = async (total: number) => {
  for (const each of cards) {
    try {
      throw new TypeError('no card')
    } catch {
      give(up)
    }
  }
}

function long(
  first: string,
  second: string,
): string {
  return first.at(1).name
}

class Cart {
  #lines = []
  total() {
    return this.#lines.map((line) => {
      return line.price.amount
    })
  }
  onClick = (event) => {
    event.stop()
  }
}

export const handlers = {
  submit: async (form) => {
    form.send()
  },
  close() {
    window.shut()
  },
}

start()
`.split('\n')
const around = (text: string) => enclosingFunction(code, 1 + code.findIndex((line) => line.includes(text)))

test('functions, arrows, methods and members of objects are found by position', () => {
  expect(around('charge(total)')).toBe('payWithCard')
  expect(around("throw new TypeError('no card')")).toBe('charge')
  expect(around('document.title')).toBe('Page')
  expect(around('give(up)')).toBe('charge')
  expect(around('first.at(1)')).toBe('long')
  expect(around('return this.#lines')).toBe('total')
  expect(around('event.stop')).toBe('onClick')
  expect(around('form.send')).toBe('submit')
  expect(around('window.shut')).toBe('close')
})

test('code outside functions has no name, and neither has code on one line', () => {
  expect(around('start()')).toBe('')
  expect(enclosingFunction(['function a(){throw 1}'], 1)).toBe('')
  expect(enclosingFunction([], 7)).toBe('')
})
