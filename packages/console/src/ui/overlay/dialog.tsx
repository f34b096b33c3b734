import { Dialog as Primitive } from 'radix-ui'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { CloseButton } from '../button.tsx'
import { focusFirst } from '../form/focus-first.ts'

type DialogProps = {
  title: string
  description?: ReactNode
  size?: 'small' | 'normal' | 'wide'
  onClose: () => void
  /** Buttons, the primary one last. */
  footer?: ReactNode
  /** With it the dialog is a form: enter in a field, or ⌘ enter anywhere, submits. */
  onSubmit?: () => void
  children?: ReactNode
}

const widths = { small: 'w-card', normal: 'w-dialog', wide: 'w-review' }

/** Mounted while open. Without Radix's overlay, whose style sheet our content security policy blocks. */
export function Dialog(props: DialogProps) {
  const { title, description, size = 'normal', onClose, footer, onSubmit, children } = props
  const form = useRef<HTMLFormElement>(null)
  const [giveBack] = useState(rememberFocus)
  const content = (
    <>
      <header className="flex items-start gap-12 border-line border-b px-16 py-12">
        <div className="grid min-w-0 flex-1 gap-2">
          <Primitive.Title className="text-pretty font-strong text-14 [overflow-wrap:anywhere]">
            {title}
          </Primitive.Title>
          {description && (
            <Primitive.Description className="text-text-2">{description}</Primitive.Description>
          )}
        </div>
        <Primitive.Close asChild>
          <CloseButton />
        </Primitive.Close>
      </header>
      {children && (
        <div className="grid min-h-0 grid-cols-[minmax(0,1fr)] gap-16 overflow-y-auto p-16">{children}</div>
      )}
      {footer && (
        <footer className="flex flex-wrap justify-end gap-8 border-line border-t px-16 py-12">
          {footer}
        </footer>
      )}
    </>
  )

  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <div className="fixed inset-0 z-40 bg-scrim" />
        <div className="fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] items-start justify-items-center overflow-y-auto p-12 wide:pt-[10vh]">
          <Primitive.Content
            {...(description ? {} : { 'aria-describedby': undefined })}
            data-modal=""
            onOpenAutoFocus={focusFirst}
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              giveBack()
            }}
            onEscapeKeyDown={keepForLists}
            // A click outside must not discard input.
            onInteractOutside={(event) => onSubmit && event.preventDefault()}
            className={`grid max-h-[calc(100dvh-24px)] max-w-full animate-open grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto] overflow-clip rounded-dialog border border-line-strong bg-surface shadow-dialog outline-none wide:max-h-[85vh] ${widths[size]}`}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) form.current?.requestSubmit()
            }}
          >
            {onSubmit ? (
              <form
                ref={form}
                className="contents"
                noValidate
                onSubmit={(event: FormEvent) => {
                  event.preventDefault()
                  event.stopPropagation()
                  onSubmit()
                }}
              >
                {content}
              </form>
            ) : (
              content
            )}
          </Primitive.Content>
        </div>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** The first escape closes an open list of suggestions, the second one the dialog. */
function keepForLists(event: KeyboardEvent): void {
  const { target } = event
  if (target instanceof Element && target.matches('[role=combobox][aria-expanded=true]'))
    event.preventDefault()
}

/** The focus before the first of several dialogs: a dialog that replaces another one restores it instead. */
let outside: Element | null = null

/** Remembers the focused element when a dialog opens, and restores it unless another element has taken the focus. */
function rememberFocus(): () => void {
  const opener = document.activeElement
  if (opener && opener !== document.body && !opener.closest('[data-modal]')) outside = opener
  return () => {
    const isTaken = document.activeElement !== null && document.activeElement !== document.body
    const target = opener?.isConnected && opener !== document.body ? opener : outside
    if (!isTaken && target instanceof HTMLElement) target.focus()
  }
}
