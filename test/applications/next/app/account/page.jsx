import { Flag } from '../providers.jsx'

export default function Account() {
  return (
    <>
      <h1>/account</h1>
      <Flag name="banner" fallback="none" />
    </>
  )
}
