import { Flag } from '../../providers.jsx'

export default async function Product({ params }) {
  const { id } = await params
  return (
    <>
      <h1>{`/products/${id}`}</h1>
      <Flag name="checkout" fallback={false} />
    </>
  )
}
