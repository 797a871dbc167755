export function Fleet() {
  return <p>Fleet</p>;
}
