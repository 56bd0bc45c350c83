import sys

from config.embedded.servers import main

sys.exit(main(sys.argv[1:]))
