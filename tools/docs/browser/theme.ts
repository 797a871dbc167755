/** The theme that was chosen in the console of the same address, before the page is drawn. */
try {
  const theme = localStorage.getItem('sightline.theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // a private window keeps nothing: the theme of the system
}
