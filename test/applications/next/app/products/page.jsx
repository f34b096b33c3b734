export default function Products() {
  return <h1>/products</h1>
}
