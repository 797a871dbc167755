export function Sessions() {
  return <p>Sessions</p>;
}
