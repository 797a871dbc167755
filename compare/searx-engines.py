"""Result pages from standard input, a JSON object a line, through the engines of Debian's package searx. First line: its version. Exit 3: not installed."""
import json
import logging
import os
import sys
import tempfile

SETTINGS = {
    'use_default_settings': False,
    'general': {'debug': False},
    'server': {'secret_key': 'none', 'http_protocol_version': '1.0', 'image_proxy': False, 'default_http_headers': {}},
    'search': {'ban_time_on_fail': 0, 'max_ban_time_on_fail': 0},
    'ui': {'static_path': '', 'templates_path': '', 'default_locale': ''},
    'outgoing': {'request_timeout': 5, 'useragent_suffix': '', 'pool_connections': 1, 'pool_maxsize': 1},
    'engines': [],
    'locales': {'en': 'English'},
    'doi_resolvers': {},
    'checker': {'off_when_debug': True},
}


class Reply:
    """What an engine reads of an answer."""

    def __init__(self, url, status, body):
        self.url, self.status_code, self.text = url, status, body
        self.headers, self.search_params = {}, {'pageno': 1}

    def raise_for_status(self):
        raise RuntimeError('HTTP %d' % self.status_code)


def main():
    with tempfile.NamedTemporaryFile('w', suffix='.yml') as file:
        json.dump(SETTINGS, file)  # JSON is YAML
        file.flush()
        os.environ['SEARX_SETTINGS_PATH'] = file.name
        try:
            from searx import version
            from searx.engines import bing, google
            from searx.raise_for_httperror import raise_for_httperror
        except ImportError:
            sys.exit(3)
    logging.disable(logging.CRITICAL)
    engines = {'google': google, 'bing': bing}
    print(version.VERSION_STRING)
    for line in sys.stdin:
        row = json.loads(line)
        reply = Reply(row['url'], row['status'], row['body'])
        try:
            raise_for_httperror(reply)
            found = engines[row['engine']].response(reply)
            results = [{'url': one['url'] or '', 'title': one['title'] or ''} for one in found if 'url' in one]
            print(json.dumps({'results': results}))
        except Exception as error:  # an engine that throws shows no results
            print(json.dumps({'error': repr(error)[:200]}))


main()
