import { Notice } from '../../ui/notice.tsx'

export function ManagedNotice() {
  return (
    <Notice
      tone="info"
      title="Managed by the setup file"
      detail="Change it there. The server applies the file at its next start."
    />
  )
}
