import { Popover as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

type PopoverProps = {
  trigger: ReactNode
  label: string
  align?: 'start' | 'end' | 'center'
  open?: boolean
  onOpen?: (open: boolean) => void
  children: ReactNode
}

export function Popover({ trigger, label, align = 'start', open, onOpen, children }: PopoverProps) {
  return (
    <Primitive.Root {...(open === undefined ? {} : { open })} {...(onOpen ? { onOpenChange: onOpen } : {})}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-40 max-h-(--radix-popover-content-available-height) min-w-menu max-w-card animate-open overflow-y-auto rounded-panel border border-line-strong bg-surface p-12 shadow-menu"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
