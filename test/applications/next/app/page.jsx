import { Flag } from './providers.jsx'

export default function Home() {
  return (
    <>
      <h1>/</h1>
      <Flag name="checkout" fallback={false} />
    </>
  )
}
