include(GNUInstallDirs)
install(TARGETS assay assayd assay-warden assay-unpack sandbox RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY profiles policies languages DESTINATION ${CMAKE_INSTALL_DATADIR}/assay)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
