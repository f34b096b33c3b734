import { Tooltip as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

const openAfter = 400

export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Primitive.Provider delayDuration={openAfter}>{children}</Primitive.Provider>
}

type TooltipProps = { text: ReactNode; side?: 'top' | 'right' | 'bottom' | 'left'; children: ReactNode }

/** A supplement to the label: never put information only here. */
export function Tooltip({ text, side = 'bottom', children }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-40 max-w-card rounded-control bg-ink px-8 py-4 text-12 text-on-ink shadow-menu"
        >
          {text}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
