import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { CloseButton } from '../button.tsx'
import { focusFirst } from '../form/focus-first.ts'

type SheetProps = { title: string; onClose: () => void; children: ReactNode }

/** A modal panel from the right edge. For details beside a list, see `Peek`. */
export function Sheet({ title, onClose, children }: SheetProps) {
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <div className="fixed inset-0 z-30 bg-scrim" />
        <Primitive.Content
          aria-describedby={undefined}
          data-modal=""
          onOpenAutoFocus={focusFirst}
          className="fixed inset-y-0 right-0 z-30 flex w-peek max-w-[calc(100%-48px)] animate-slide flex-col overflow-y-auto border-line-strong border-l bg-surface shadow-dialog outline-none"
        >
          <header className="flex items-center gap-8 border-line border-b px-16 py-8">
            <Primitive.Title className="flex-1 font-strong text-14">{title}</Primitive.Title>
            <Primitive.Close asChild>
              <CloseButton />
            </Primitive.Close>
          </header>
          <div className="p-16">{children}</div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
