import { useFlag } from '@telltale/browser/react'
import { type FormEvent, useEffect, useState } from 'react'
import { ask } from '../api.ts'
import { emptyCart, useCart } from '../cart.ts'
import { priceOf } from '../parts/price.ts'
import { go } from '../routes.ts'
import { telltale } from '../telltale.ts'

/** Not every browser has it, and there is no check: the deliberate bug of one-page checkout. */
declare const scheduler: { postTask(task: () => void): Promise<void> }

const steps = ['Address', 'Delivery', 'Payment'] as const

export function CheckoutPage() {
  const isOnePage = useFlag('checkout-v2', 'classic') === 'one-page'
  const { total } = useCart()
  const [step, setStep] = useState(0)
  const [isPaying, setPaying] = useState(false)
  useEffect(() => {
    ask('quote', {}).catch((error: unknown) => telltale.reportError(error))
  }, [])

  const order = async () => {
    await ask('orders', { total })
    telltale.track('order_placed', { value: total, attributes: { payment: 'invoice' } })
    emptyCart()
    go('/thanks')
  }
  const pay = () => {
    setPaying(true)
    order().catch((error: unknown) => {
      setPaying(false)
      telltale.reportError(error)
    })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isOnePage && step < steps.length - 1) return setStep(step + 1)
    if (isOnePage) void scheduler.postTask(pay)
    else pay()
  }
  const shown = isOnePage ? steps : steps.slice(step, step + 1)
  const isLast = isOnePage || step === steps.length - 1

  return (
    <section className="narrow">
      <h1>Checkout</h1>
      {!isOnePage && (
        <ol className="steps">
          {steps.map((name, index) => (
            <li key={name} aria-current={index === step ? 'step' : undefined}>
              {name}
            </li>
          ))}
        </ol>
      )}
      <form className={isOnePage ? 'checkout-form one-page' : 'checkout-form'} onSubmit={submit}>
        {shown.map((name) => (
          <Part key={name} name={name} />
        ))}
        <button type="submit" className="button pay" disabled={isPaying}>
          {isLast ? `Place order, ${priceOf(total)}` : 'Next'}
        </button>
      </form>
    </section>
  )
}

function Part({ name }: { name: (typeof steps)[number] }) {
  switch (name) {
    case 'Address':
      return (
        <fieldset>
          <legend>Address</legend>
          <label>
            Name
            <input autoComplete="off" />
          </label>
          <label>
            Street and number
            <input autoComplete="off" />
          </label>
        </fieldset>
      )
    case 'Delivery':
      return (
        <fieldset>
          <legend>Delivery</legend>
          <label className="choice">
            <input type="radio" name="delivery" defaultChecked /> Our van, in three days
          </label>
          <label className="choice">
            <input type="radio" name="delivery" /> I collect it in the workshop
          </label>
        </fieldset>
      )
    case 'Payment':
      return (
        <fieldset>
          <legend>Payment</legend>
          <label className="choice">
            <input type="radio" name="payment" defaultChecked /> Invoice
          </label>
          <label className="choice">
            <input type="radio" name="payment" /> At the door
          </label>
        </fieldset>
      )
  }
}
