export function Explanation() {
  return <p>Explanation</p>;
}
