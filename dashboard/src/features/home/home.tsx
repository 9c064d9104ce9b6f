export function Home() {
  return <h1 className="text-xl font-semibold">Home</h1>
}
